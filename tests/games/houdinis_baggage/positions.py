"""Positions and turns of Mr. Houdini's Baggage in its own notation, for tables of cases.

The assignments are the tests' own, so that the game's may be redesigned without touching a case.
"""

from collections.abc import Sequence
from typing import Any

from bot.games.houdinis_baggage.cards import (
    CARD_BY_KEY,
    CARD_KEYS,
    EMPTY_PILE,
    FULL_PILE,
    Assignment,
    AssignmentEntry,
    BaggageContent,
    Card,
    Pile,
    add_to_pile,
)
from bot.games.houdinis_baggage.pieces import (
    BaggageEnd,
    BaggageOptions,
    GameEvent,
    Phase,
    Player,
    State,
    Task,
    TurnPlayed,
)
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.platform.content import DATA, read_content
from bot.rules.chance import ScriptedChance
from bot.rules.refusals import Refusal
from bot.tools.contract.audits import audit
from tests.support.named_positions import NamedPosition

_BOX = """
4 | triangle 3, green 3, yellow 1, red 1 | move
2 | green 2, star 1, blue 2 | +1 shape
3 | square 2, circle 2, triangle 1 | another player's
1 | red 1, star 2 | red to green
1 | blue 1, circle 1 | +1 colour
1 | yellow 1, triangle 1 | +1 colour
2 | yellow 1, square 1, star 1 | yellow to red
2 | green 1, blue 1, circle 2 | green to blue
2 | red 2, star 1, circle 1 | triangle to square
3 | yellow 2, blue 1, star 2 | square to star
1 | green 1, square 1 | +1 shape
3 | red 1, green 2, square 1 | move
5 | red 2, yellow 2, blue 2, star 2 | another player's
6 | red 2, yellow 2, green 2, star 1, square 1 | blue to yellow
6 | blue 2, star 2, circle 2, square 1, red 1 | star to circle
5 | green 3, square 2, circle 1, red 1 | green to red
6 | red 1, green 1, blue 1, star 1, circle 1 | circle to star
6 | red 1, green 1, blue 1, square 1, circle 1 | blue to green
5 | red 1, green 1, star 1, circle 1 | yellow to blue
4 | red 1, green 1, star 1, triangle 1 | +1 colour
"""


def _assignment(number: int, line: str) -> Assignment:
    points, items, bonus = line.split(" | ")
    entry = AssignmentEntry.model_validate({"points": int(points), "items": items.split(", "), "bonus": bonus})
    return Assignment(number, entry.points, entry.items, entry.bonus)


BOX = tuple(_assignment(number, line) for number, line in enumerate(_BOX.strip().splitlines(), 1))
"""The assignments of these tests, by their numbers from 1 on."""

GAME = HoudinisBaggage(BOX)

DECK = read_content(BaggageContent, DATA / "houdinis_baggage").assignments.build_deck()
"""The assignments that the game is played with."""

HOUDINI = HoudinisBaggage(DECK)


def cards(text: str) -> tuple[Card, ...]:
    """Read cards: `green-square red-star`."""
    return tuple(CARD_BY_KEY[name] for name in text.split())


def parse_assignments(text: str) -> tuple[Assignment, ...]:
    """Read assignments by their numbers: `4 5`."""
    return tuple(BOX[int(number) - 1] for number in text.split())


def player(tasks: str = "", completed: str = "", bank: str = "") -> Player:
    """Set a seat up: `1 green-triangle - - -; 2` are assignment 1 with a card on its first item, and 2 without."""
    return Player(
        tuple(map(_task, filter(None, tasks.split("; ")))), tuple(sorted(cards(bank))), parse_assignments(completed)
    )


def _task(text: str) -> Task:
    number, *names = text.split()
    assignment = BOX[int(number) - 1]
    lying = tuple(None if name == "-" else CARD_BY_KEY[name] for name in names)
    return Task(assignment, lying or (None,) * len(assignment.items))


def at(
    *players: Player,
    opened: str = "",
    phase: Phase = Phase.PLACE,
    row: str | None = None,
    deck: str | None = None,
    discards: str | None = "",
    spent: tuple[int, ...] = (),
    mover: int = 0,
    starter: int = 0,
    end: BaggageEnd | None = None,
    target: int = 25,
) -> State:
    """Set up a position: seat 0 places unless said otherwise; a second seat with nothing is added if there is one only.

    Assignments that are named nowhere lie in the row, and in the deck from the sixth on; if the row is named, the
    deck holds the others, unless it is named too. Cards that are named nowhere are in the baggage deck, or all
    discarded if discards is None.
    """
    seats = players if len(players) > 1 else (*players, player())
    named = {each.number for one in seats for each in (*(task.assignment for task in one.tasks), *one.completed)}
    left = tuple(each for each in BOX if each.number not in named)
    shown = left[:5] if row is None else parse_assignments(row)
    outside = add_to_pile(EMPTY_PILE, cards(opened) + sum((_cards_of(each) for each in seats), ()))
    rest = tuple(there - gone for there, gone in zip(FULL_PILE, outside, strict=True))
    discarded = rest if discards is None else add_to_pile(EMPTY_PILE, cards(discards))
    return State(
        options=BaggageOptions(target=target),
        players=seats,
        row=shown,
        deck=tuple(each for each in left if each not in shown) if deck is None else parse_assignments(deck),
        baggage=tuple(there - gone for there, gone in zip(rest, discarded, strict=True)),
        discards=discarded,
        open=cards(opened),
        phase=phase,
        spent=spent,
        mover=mover,
        starter=starter,
        end=end,
    )


def _cards_of(one: Player) -> tuple[Card, ...]:
    return one.bank + tuple(card for task in one.tasks for card in task.cards if card is not None)


def play_move(state: State, move: str, *script: int | str) -> tuple[State, tuple[GameEvent, ...]]:
    """Make a move; the script of chance names cards to be opened, or numbers, and all of it must be used."""
    heap = state.baggage if any(state.baggage) else state.discards
    numbers = [place_of(heap, each) if isinstance(each, str) else each for each in script]
    with ScriptedChance(numbers) as chance:
        return GAME.play(state, state.mover or 0, GAME.parse_move(move), chance)


def place_of(heap: Pile, name: str) -> int:
    """Return where the first card of a look lies in a heap."""
    return sum(heap[: CARD_BY_KEY[name]])


def play_moves(state: State, *moves: str) -> State:
    """Make moves that need no chance."""
    for move in moves:
        state, _ = play_move(state, move)
    return state


def follow(state: State, moves: str) -> State:
    """Make moves, separated by commas; `open` names the card that comes: `open green-star, stop`."""
    for move in filter(None, moves.split(", ")):
        state, _ = play_move(state, *move.split(" ")) if move.startswith("open ") else play_move(state, move)
    return state


def look(state: State) -> dict[str, Any]:
    """Return what the turn of a position is about, in the game's notation."""
    return {
        "legal": ", ".join(legal(state)),
        "places": ", ".join(move.removeprefix("place ") for move in legal(state, "place")),
        "open": names(state.open),
        "tasks": describe_tasks(state),
        "bank": names(state.players[0].bank),
        "spent": state.spent,
        "mover": state.mover,
        "phase": state.phase,
        "faults": audit(GAME, state),
    }


def legal(state: State, verb: str = "") -> list[str]:
    """Return the moves of a position, or those of a kind, in the game's notation."""
    return [str(move) for move in GAME.legal_moves(state) if str(move).startswith(verb)]


def refusal_reason(state: State, move: str, seat: int | None = None) -> Refusal:
    """Return why a move is refused."""
    refusal = GAME.check(state, state.mover or 0 if seat is None else seat, GAME.parse_move(move))
    assert refusal is not None, move
    return refusal


def describe_tasks(state: State, seat: int = 0) -> list[str]:
    """Write what lies on a seat's unfinished assignments."""
    return [
        f"{task.assignment.number} {' '.join('-' if card is None else CARD_KEYS[card] for card in task.cards)}"
        for task in state.players[seat].tasks
    ]


def names(some: Sequence[Card]) -> str:
    """Write cards as they are read."""
    return " ".join(CARD_KEYS[card] for card in some)


CROWDED = at(
    player("1; 16", "20 14 17 2 8 11 19 12 15 10 18 7 3 13", "red-star green-star blue-star"),
    player("", "4 5 6 9"),
    opened="red-circle blue-square green-circle yellow-triangle red-triangle green-square yellow-circle",
    target=30,
)
"""More ways to place a card than a menu holds, and a bank."""


def _told(state: State, parts: str = "screen", events: Sequence[GameEvent] = ()) -> NamedPosition:
    """Name a position without open assignments, which take the most room."""
    return NamedPosition(state._replace(row=(), deck=()), tuple(events), len(state.players), parts=parts)


def _after(state: State, *moves: str | tuple[str, int | str]) -> NamedPosition:
    """Make moves, some with a script of chance, and tell what they brought."""
    state, events = state._replace(row=(), deck=()), list[GameEvent]()
    for move in moves:
        state, new = play_move(state, *((move,) if isinstance(move, str) else move))
        events += new
    return _told(state, "screen news", events)


_LAST_ITEM = "2 green-star red-star -; 3"
_TARGET, _NOTHING = BaggageEnd.TARGET_REACHED, BaggageEnd.NOTHING_LEFT


def make_positions() -> dict[str, NamedPosition]:
    """Return positions whose texts no showcase has."""
    return {
        "nothing-fits-yet": _told(at(player(_LAST_ITEM), opened="blue-square", phase=Phase.SEARCH), "screen hint"),
        "the-last-item-fits": _told(
            at(player(_LAST_ITEM), opened="blue-square blue-circle", phase=Phase.SEARCH), "screen hint tips"
        ),
        "nothing-but-a-twin": _told(at(player("2"), opened="red-star red-star", phase=Phase.TWIN), "screen reading"),
        "nothing-fits": _told(at(player("2"), opened="red-circle"), "screen reading"),
        "only-the-bank": _told(
            at(player("4 red-circle -; 12", bank="blue-star"), opened="green-star"), "screen reading hint tips"
        ),
        "only-a-move": _told(at(player("4; 9 - - red-circle", "12")), "screen reading picture hint"),
        "a-move-or-the-bank": _told(at(player("9 red-circle - -", "12", "blue-star"))),
        "bonuses-on-a-button": _told(at(player("1; 2", "4 5"), opened="green-square red-triangle"), "screen hint tips"),
        "bonuses-in-a-menu": _told(at(player("1; 2", "4 5 7"), opened="green-square yellow-circle")),
        "a-copied-bonus": _told(
            at(player("2", "3"), player("", "4"), opened="red-star red-circle"), "screen reading moves"
        ),
        "a-filled-assignment": _told(at(player("4 red-circle blue-star; 2"), opened="red-star"), "screen hint"),
        "two-filled-assignments": _told(at(player("4 red-circle blue-star; 5 blue-star red-circle"))),
        "more-ways-than-a-menu-holds": _told(CROWDED, "screen reading"),
        "an-item-is-chosen": NamedPosition(CROWDED._replace(row=(), deck=()), draft=frozenset({1}), parts="screen"),
        "the-last-round": _told(at(player(), player("3"), end=_NOTHING, target=20), "reading"),
        "the-target-reached": _told(
            at(player("2"), player("3", "14"), opened="red-star", end=_TARGET, target=10), "reading picture end"
        ),
        "all-share-the-win": _told(
            at(*(player("", each) for each in ("14", "15", "17")), end=_NOTHING)._replace(mover=None),
            "screen reading picture",
        ),
        "assignments-decide": _told(
            at(player("", "14"), player("", "13 4"), end=_TARGET)._replace(mover=None), "screen reading end"
        ),
        "placed-nothing": _after(
            at(player("1; 2"), player("3; 9"), player("7"), opened="green-star red-circle"),
            *("done", ("open", "red-star"), "stop", "done"),
        ),
        "placed-and-completed": _after(
            at(player("4 red-circle -; 5 blue-star -"), player("3"), opened="blue-star red-star red-circle"),
            *("place blue-star on 4b", "place red-circle on 5b", "done"),
        ),
        "moved-and-from-the-bank": _after(
            at(player("9 - - red-circle; 17", "12 1", "blue-star red-square"), player("3")),
            *("bank blue-star", "bank red-square", "move 9c to 9a with 1", "move 9a to 9c with 12", "done"),
        ),
        "one-from-the-bank": _after(
            at(player("2", bank="red-star"), player("3")), "bank red-star", "place red-star on 2b", "done"
        ),
        "shuffled": _after(at(player("2"), phase=Phase.SEARCH, discards=None), ("open", "red-star")),
        "one-card-lost": _after(at(player("2"), opened="red-star red-star", phase=Phase.TWIN), "keep red-star"),
        "nothing-left": _after(at(player(), player("4 red-circle blue-star"), row="", deck="", mover=1), "done"),
        "new-bonuses": NamedPosition(
            at(player("2"), opened="red-star"), (TurnPlayed(0, parse_assignments("12 2 3"), ()),), parts="tips"
        ),
    }  # fmt: skip
