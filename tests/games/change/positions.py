"""Change's positions and turns in its own notation, for tables of cases."""

from collections import Counter
from collections.abc import Sequence

from bot.games.change.board import Board, ChangeContent, Markers
from bot.games.change.pieces import ChangeOptions, GameEvent, PublicState, Stage, State
from bot.games.change.rules import Change
from bot.platform.content import DATA, read_content
from bot.rules.chance import ScriptedChance
from bot.rules.game import RollOffRound, Seat

CONTENT = read_content(ChangeContent, DATA / "change")
BOARD = Board.from_content(CONTENT)
GAME = Change(BOARD)
PLAIN = ChangeOptions(sets=False)
WITH_SETS = ChangeOptions()

ALL_TWELVE = "habits excuses desires greed gossip envy vanity anger pride worry doubt fear"
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
    assert GAME.audit(state) == ()
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
    assert GAME.audit(after) == ()
    return after, events


def play_moves(state: State, *moves: str) -> State:
    """Make moves one after another, each with its dice after a colon: `roll: 41`."""
    for move in moves:
        text, _, dice = move.partition(":")
        state = play_move(state, text, dice)
    return state


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


def space_of(state: State, seat: Seat = 0) -> int:
    """Return where a seat's Ragz stands."""
    return state.public.ragz_spaces[seat]


def events_of(events: Sequence[GameEvent], kind: type[GameEvent]) -> list[GameEvent]:
    """Return the events of a kind."""
    return [event for event in events if isinstance(event, kind)]
