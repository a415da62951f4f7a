"""Positions and turns of Mr. Houdini's Baggage in its own notation, for tables of cases.

The assignments are the tests' own, so that the game's may be redesigned without touching a case.
"""

from collections.abc import Sequence

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
from bot.games.houdinis_baggage.pieces import BaggageEnd, BaggageOptions, GameEvent, Phase, Player, State, Task
from bot.games.houdinis_baggage.rules import HoudinisBaggage
from bot.platform.content import DATA, read_content
from bot.rules.chance import ScriptedChance
from bot.rules.refusals import Refusal

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
