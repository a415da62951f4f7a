"""Change's positions and turns in its own notation, for tables of cases."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bot.games.change.board import Board, ChangeContent, Markers
from bot.games.change.pieces import MARKERS_PER_SEAT, ChangeOptions, GameEvent, PublicState, Stage, State
from bot.games.change.rules import Change
from bot.platform.content import DATA, read_content
from bot.rules.chance import ScriptedChance
from bot.rules.game import RollOffRound, Seat
from bot.tools.contract.audits import audit
from tests.support.named_positions import NamedPosition

CONTENT = read_content(ChangeContent, DATA / "change")
BOARD = Board.from_content(CONTENT)
GAME = Change(BOARD)
PLAIN = ChangeOptions(sets=False)
WITH_SETS = ChangeOptions()

_SPACES = "habits excuses desires greed gossip envy vanity anger pride worry doubt fear"
ALL_PLACED = " ".join(_SPACES.split()[-MARKERS_PER_SEAT:])
"""Spaces for every marker of a seat; resentment, blame, grudges, denial, control and selfishness are left."""


def cards(text: str) -> tuple[int, ...]:
    """Read message cards: `add-1 greed any`."""
    return tuple(BOARD.card_by_key[key] for key in text.split())


def keys(some: Sequence[int]) -> str:
    """Write message cards as they are read."""
    return " ".join(BOARD.cards[card].key for card in some)


def spaces(text: str) -> Markers:
    """Read the spaces of markers: `greed desires`."""
    return sum(1 << BOARD.space_by_key[key] for key in text.split())


def at(
    *seats: str,
    hands: Sequence[str] = (),
    top: str = "",
    turn: Seat = 0,
    stage: Stage = Stage.ROLL,
    asked: Sequence[Seat] | None = None,
    draws: int = 0,
    challenge: bool = False,
    missing: int = 0,
    travel: bool = True,
    options: ChangeOptions = PLAIN,
) -> State:
    """Set up a position: for each seat its credits, its square and its markers, as in `50@5 greed desires`.

    The cards that are named nowhere lie in the order of their kinds, under those named as the top of the deck.
    """
    counts, markers = zip(*(seat.partition(" ")[::2] for seat in seats), strict=True)
    held = tuple(tuple(sorted(cards(text))) for text in (*hands, *[""] * (len(seats) - len(hands))))
    rest = Counter(BOARD.deck)
    for hand in (*held, cards(top)):
        rest.subtract(hand)
    assert min(rest.values()) >= 0, "there are not so many cards of a kind"
    public = PublicState(
        board=BOARD,
        options=options,
        roll_off=(RollOffRound(tuple((seat, (6, 6) if seat == 0 else (1, 1)) for seat in range(len(seats)))),),
        credits=tuple(int(count.partition("@")[0]) for count in counts),
        markers=tuple(map(spaces, markers)),
        ragz_spaces=tuple(int(count.partition("@")[2]) for count in counts),
        hand_sizes=tuple(map(len, held)),
        turn=turn,
        stage=stage,
        asked=(turn,) if asked is None else tuple(asked),
        draws=draws,
        may_challenge=challenge,
        missing=missing,
        may_travel=travel,
    )
    state = State(public, held, (*cards(top), *rest.elements()))
    assert audit(GAME, state) == ()
    return state


def play_move(state: State, move: str, dice: str = "") -> State:
    """Make the move of the seat to move with scripted dice, all of which must be used."""
    return play_step(state, move, dice)[0]


def play_step(state: State, move: str, dice: str = "") -> tuple[State, tuple[GameEvent, ...]]:
    """Make a move with scripted dice, and return what happened as well."""
    seat = GAME.seat_to_move(state)
    assert seat is not None
    with ScriptedChance.from_faces(dice) as chance:
        after, events = GAME.play(state, seat, GAME.parse_move(move), chance)
    assert audit(GAME, after) == ()
    return after, events


def play_moves(state: State, moves: str) -> State:
    """Make moves one after another, each with its dice after a colon: `roll: 41, done`."""
    for move in moves.split(", ") if moves else ():
        text, _, dice = move.partition(":")
        state = play_move(state, text, dice)
    return state


def read(text: str) -> State:
    """Set up a position as `notate` writes it; without a stage the first seat has to roll.

    What `notate` leaves out may follow: `sets` if they count, and the cards that lie on the deck after `top`.
    """
    table, _, rest = text.partition(" · ")
    parts = [[part.strip() for part in re.split(r"[\[\]]", seat)] for seat in table.split("/")]
    told, _, top = rest.partition("top ")
    words = told.split()
    turn, stage = words[:2] if told[:1].isdigit() else ("0", "roll")
    return at(
        *(seat for seat, *_ in parts),
        hands=[held[0] if held else "" for _, *held in parts],
        top=top,
        turn=int(turn),
        stage=Stage(stage),
        challenge="challenge" in words,
        missing=int(words[words.index("missing") + 1]) if "missing" in words else 0,
        travel="travelled" not in words,
        options=WITH_SETS if "sets" in words else PLAIN,
    )


def notate(state: State) -> str:
    """Write all of a position but its deck and its options: `125@5 desires / 115@0 [any] · 0 free challenge`.

    For each seat its credits, its space, its markers and its cards, and then whose turn it is, the stage, the seats
    that are asked instead, the cards to draw, and whether a challenge is open, lacks points, or the option move is
    used.
    """
    public = state.public
    seats = [
        f"{left}@{space} {markers(state, seat)} {f'[{hand(state, seat)}]' * bool(state.hands[seat])}".split()
        for seat, (left, space) in enumerate(zip(public.credits, public.ragz_spaces, strict=True))
    ]
    words = {
        f"asks {' '.join(map(str, public.asked))}": public.asked not in ((), (public.turn,)),
        f"draws {public.draws}": public.draws,
        "challenge": public.may_challenge,
        f"missing {public.missing}": public.missing,
        "travelled": not public.may_travel,
    }
    turn = " ".join((str(public.turn), public.stage, *(word for word, is_told in words.items() if is_told)))
    return f"{' / '.join(map(' '.join, seats))} · {turn}"


SHORT = {"TWELVE": ALL_PLACED, "ELEVEN": ALL_PLACED.partition(" ")[2], "FIVE": "add-1 add-2 add-3 add-4 add-5"}


def cases(table: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield the rule of each case, its position, the moves and what they lead to.

    A case is indented below its rule, and its parts have arrows between them; moves may be missing.
    """
    for short, words in SHORT.items():
        table = table.replace(short, words)
    rule, found = "", list[tuple[str, str]]()
    for line in table.strip().splitlines():
        if not line.startswith(" "):
            rule = line
        elif line.startswith(" " * 8):
            found[-1] = (rule, f"{found[-1][1]} {line.strip()}")
        else:
            found.append((rule, line.strip()))
    for rule, case in found:
        position, *moves, last = case.split(" ->")
        yield rule, position, "".join(moves).strip(), last.strip()


def legal(state: State) -> list[str]:
    """Return the moves of a position in the game's notation."""
    return [str(move) for move in GAME.legal_moves(state)]


def credits_left(state: State) -> tuple[int, ...]:
    """Return what everybody has left."""
    return state.public.credits


def markers(state: State, seat: Seat = 0) -> str:
    """Return where a seat has markers, clockwise."""
    return " ".join(BOARD.keys[space] for space in BOARD.challenge_spaces if state.public.markers[seat] >> space & 1)


def hand(state: State, seat: Seat = 0) -> str:
    """Return a seat's message cards."""
    return keys(state.hands[seat])


def bottom(state: State, count: int) -> str:
    """Return the cards that lie lowest in the deck, the lowest last."""
    return keys(state.deck[-count:])


def _named(text: str, moves: str = "", parts: str = "screen reading", **more: Any) -> NamedPosition:
    state, events = read(text), list[GameEvent]()
    for move in moves.split(", ") if moves else ():
        state, told = play_step(state, *move.split(":"))
        events += told
    return NamedPosition(state, tuple(events), len(state.hands), parts=parts, **more)


_FOUR_SEATS = "120@0 [fear] / 120@0 desires gossip / 120@0 greed gossip / 120@0 gossip"
_TWELVE = f"120@3 {ALL_PLACED} [denial any] / 120@0 · 0 free"


def make_positions() -> Mapping[str, NamedPosition]:
    """Return what the golden files tell of, beside the showcases."""
    return {
        "a tied roll-off": NamedPosition(
            State(
                read("120@0 / 120@0").public._replace(
                    roll_off=tuple(
                        RollOffRound(((0, one), (1, other))) for one, other in (((1, 3), (2, 2)), ((1, 1), (1, 2)))
                    )
                ),
                *((), ()),
            ),
            parts="screen",
        ),
        "a missed challenge": _named(_FOUR_SEATS, "roll: 41, challenge: 111 11 1, done", "screen news"),
        "a short option move": _named(_FOUR_SEATS, "roll: 41, option grudges: 666 66 6", "news"),
        "an option move, shortened": _named(_FOUR_SEATS, "roll: 41, option greed: 666 66 6", "news"),
        "three others added up": _named(_FOUR_SEATS, "roll: 61, option greed: 666 66 6", "news"),
        "long names added up": _named(_FOUR_SEATS, "roll: 61, option selfishness: 666 66 6", "news"),
        "a space card": _named(_FOUR_SEATS, "roll: 51, challenge: 666 66 6, card fear", "news moves"),
        "a card to a marked space": _named("120@0 denial [denial] / 120@0", "roll: 41, card denial", "news"),
        "a card that marks": _named("120@0 [any] / 120@0", "roll: 41, card any denial place", "news"),
        "an Add card too few": _named(
            "120@0 [add-1 add-2] / 120@0", "roll: 41, challenge: 411 41 2, card add-1", "news"
        ),
        "a corner that leads to a space": _named("120@16 denial / 120@0", "roll: 12", "news"),
        "a corner given away": _named(_FOUR_SEATS, "roll: 12, choose 1", "news"),
        "five seats": _named("120@0 / 120@0 desires / 120@0 / 120@0 / 120@0", "roll: 41", "screen news"),
        "another seat marks": _named("120@25 / 120@0 / 120@0", "roll: 21, choose 1, choose greed, done", "news"),
        "two challenges with cards": _named(
            "120@0 [add-1 add-5 replace-1] / 120@0",
            "roll: 41, challenge: 411 41 2, card add-1, option grudges: 411 41 2, card add-5",
            "screen news",
        ),
        "a card that adds nothing": _named(
            "120@0 [add-1 replace-1] / 120@0", "roll: 41, challenge: 411 41 2, card replace-1 add-1", "news"
        ),
        "a long turn": _named(
            "120@0 [add-1 add-2 add-3 add-4 any] / 120@0",
            "roll: 41, challenge: 111 11 1, card add-1, card add-2, card add-3, card add-4",
        ),
        "doubles": _named("120@0 / 120@0", "roll: 22", "screen news tips"),
        "doubles with a full hand": _named("120@0 [add-1 add-2 add-3 add-4 add-5] / 120@0", "roll: 22", "screen news"),
        "Emotional": _named("120@5 / 120@0", "roll: 54 43", "screen news tips"),
        "Take a Rest": _named("120@11 / 120@0", "roll: 41", "screen news tips"),
        "Humility": _named("120@3 / 60@0 / 120@0", "roll: 41", "screen news tips"),
        "Arrogance": _named("120@20 / 90@0 / 120@3", "roll: 13 444", "screen picture news tips"),
        "Backslide": _named("120@17 [add-1 greed any] / 120@0", "roll: 41, keep greed", "screen news tips"),
        "nothing to lose": _named("120@17 / 120@0", "roll: 41", "news"),
        "nothing to replace": _named("120@0 / 120@0", "roll: 13", "news"),
        "nowhere to return": _named("120@16 / 120@0", "roll: 12", "news"),
        "nothing left to place": _named(f"120@24 {ALL_PLACED} [any] / 120@0 {ALL_PLACED}", "roll: 13", "screen news"),
        "a whole set": _named(
            "120@0 habits excuses / 120@0 · sets", "roll: 41, challenge: 666 66 6", "screen news tips"
        ),
        "whole sets": _named("150@0 habits excuses desires greed gossip envy [any] / 120@0 greed · sets"),
        "whole sets without sets": _named("120@0 habits excuses desires / 120@0"),
        "a big release": _named(
            "120@0 / 120@0 habits excuses desires denial · 0 free", "option denial: 111 11 1", "news"
        ),
        "others replace": _named(
            "120@0 / 120@0 [add-1 any] / 120@0 [add-1]", "roll: 13, choose 1 2, replace any", "screen news"
        ),
        "a shared win": _named("120@0 / 5@0 desires / 5@0 desires", "roll: 41", "screen reading picture news end"),
        "a win by another's roll": _named("120@0 / 5@0 desires", "roll: 41", "screen"),
        "a win without news": NamedPosition(play_moves(read("120@0 / 5@0 desires"), "roll: 41"), parts="screen"),
        "a challenge and cards": _named("120@5 [any] / 120@0 · 0 free challenge", parts="screen reading picture"),
        "nothing left to do": _named("120@3 / 120@0 · 0 free travelled"),
        "only a card": _named("120@5 [add-1 greed] / 120@0 · 0 free travelled"),
        "one point short": _named("120@5 / 120@0 · 0 free missing 1"),
        "five points short with a card": _named("120@5 [any] / 120@0 · 0 free missing 5"),
        "six points short with a card": _named(
            "120@5 [any] / 120@0 · 0 free missing 6", parts="screen reading picture"
        ),
        "all markers placed": _named(_TWELVE),
        "one marker to return to": _named("120@19 greed / 120@0 · 0 return"),
        "markers to return to": _named(
            "120@19 greed fear / 120@0 · 0 return", parts="screen reading picture tips moves"
        ),
        "another seat returns": _named("120@16 / 120@0 greed fear / 120@0", "roll: 12"),
        "a marker to place": _named("120@28 greed / 120@0 · 0 place", parts="screen reading picture tips moves"),
        "a card to replace": _named("120@4 [add-1 any] / 120@0 · 0 swap", parts="screen reading picture tips moves"),
        "a card to keep": _named("120@22 [add-1 any] / 120@0 · 0 keep", parts="screen reading picture tips moves"),
        "a corner for one": _named("120@3 / 120@0 / 120@0 · 0 corner", parts="screen reading tips moves"),
        "a corner for one of five": _named("120@3 / 120@0 / 120@0 / 120@0 / 120@0 / 120@0 · 0 corner"),
        "a corner for several": _named("120@12 / 120@0 / 9@0 · 0 corner", parts="screen reading picture"),
        "a corner for several of five, second page": _named(
            "120@11 / 120@0 / 120@0 / 120@0 / 120@0 / 120@0 · 0 corner", draft=frozenset({0})
        ),
        "a corner for all": _named("120@27 / 120@0 / 120@0 / 120@0 · 0 corner", parts="screen reading moves"),
        "a corner that the lander can't take": _named(
            "120@19 / 120@0 fear greed / 120@0 envy · 0 corner", parts="screen reading tips"
        ),
        "a corner for one other with a card": _named("120@4 [any fear] / 120@0 [greed] / 120@0 · 0 corner"),
        "a corner with a full hand": _named(
            "120@12 [add-1 add-2 add-3 add-4 any] / 120@0 / 120@0 · 0 corner", parts="screen reading tips"
        ),
        "a corner with a nearly full hand": _named("120@12 [add-1 add-2 add-3 any] / 120@0 / 120@0 · 0 corner"),
        "a corner that just fills the hand": _named("120@28 [any] / 120@0 / 120@0 · 0 corner"),
        "a corner for one with a nearly full hand": _named("120@28 [add-1 add-2 add-3 any] / 120@0 / 120@0 · 0 corner"),
        "cards played": _named("120@3 [greed add-1 replace-2] / 120@0 · 0 free", "card replace-2 add-1", "tips"),
        **{
            f"hand {name}": _named(text, parts="screen", hand_seat=0, draft=frozenset(draft))
            for name, text, draft in (
                ("with nothing", "120@5 / 120@0 · 0 free", ()),
                ("before the roll", "120@5 [any] / 120@0", ()),
                ("at a corner", "120@3 [any] / 120@0 · 0 corner", ()),
                ("in another turn", "120@5 [any] / 120@0 [any] · 1 free", ()),
                ("with a space", "120@5 [add-1 greed] / 120@0 · 0 free", ()),
                ("with a space, without a marker", "120@5 [add-1 greed] / 120@0 · 0 free", (0,)),
                ("with two ways", "120@5 denial [denial any] / 120@0 denial / 120@0 denial · 0 free challenge", ()),
                ("without markers left", _TWELVE, ()),
                ("with Add cards that suffice or not", "120@5 [add-1 add-3] / 120@0 · 0 free missing 2 travelled", ()),
                ("with an Add card alone", "120@5 [add-1] / 120@0 · 0 free", ()),
                ("with a Replace card alone", "120@5 [replace-1] / 120@0 · 0 free", ()),
                ("with used moves", "120@5 [greed any] / 120@0 · 0 free travelled", ()),
                ("with a pair", "120@5 [add-1 replace-2] / 120@0 · 0 free", ()),
                ("with Replace cards", "120@5 [replace-1 replace-2 any] / 120@0 · 0 free travelled", ()),
                ("with Replace 1 open", "120@5 [add-1 add-1 replace-1] / 120@0 · 0 free", (1,)),
                ("with Replace 2 open", "120@5 [add-1 add-2 replace-2] / 120@0 · 0 free", (2, 10)),
                ("with Replace 2 for two", "120@5 [add-1 add-2 replace-2] / 120@0 · 0 free", (2, 10, 11)),
                ("to replace one", "120@4 [add-1 any] / 120@0 · 0 swap", ()),
                ("to keep one", "120@22 [add-1 any] / 120@0 · 0 keep", ()),
            )
        },
        "hand that waits for another seat": _named(
            "120@16 [any] / 120@0 greed fear", "roll: 12", "screen", hand_seat=0
        ),
        "hand with a new card": _named("120@0 / 120@0 · top any", "roll: 22", "screen picture", hand_seat=0),
        **{
            f"hint {name}": _named(text, parts="hint")
            for name, text in (
                ("for a set", "90@9 greed gossip [add-2] / 90@0 · 0 free challenge sets"),
                ("without sets", "90@9 greed gossip / 90@0 · 0 free challenge"),
                ("for the next roll", "90@5 desires greed gossip [replace-1 add-2] / 90@0 · 0 free travelled sets"),
                ("for one of two", "90@5 greed gossip vanity pride [replace-1 add-2] / 90@0 · 0 free travelled sets"),
                ("to place", "90@28 habits / 90@0 · 0 place sets"),
                ("to return", "90@19 habits denial / 90@0 · 0 return sets"),
                ("to go with a card", "90@3 denial control [selfishness] / 90@0 · 0 free sets"),
                ("to release with a card", "50@3 denial control selfishness [any] / 90@0 · 0 free sets"),
                ("to add", "125@29 [add-2 add-5] / 120@0 · 0 free missing 2 travelled"),
                ("to add two", "125@29 [add-2 add-5] / 120@0 · 0 free missing 6 travelled"),
                ("to replace", f"120@4 {ALL_PLACED} [add-1 fear] / 120@0 · 0 swap"),
                ("to keep", f"120@22 {ALL_PLACED} [add-1 fear] / 120@0 · 0 keep"),
                ("at a corner", "60@12 / 50@0 · 0 corner"),
            )
        },
    }
