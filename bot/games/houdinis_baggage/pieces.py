"""What a game of Mr. Houdini's Baggage is made of: options, moves with their notation, and the state."""

import re
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import Field

from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.baggage import CARDS_BY_NAME, NAMES, Card, Heap
from bot.rules.game import Options, Seat
from bot.rules.options import Offered
from bot.rules.outcome import EndReason
from bot.rules.refusals import KernelReason, Reason, Refusal

ROW_SIZE = 5
"""So many assignments lie open. Rule HB-1."""

TASKS = 2
"""So many unfinished assignments a seat has. Rules HB-1 and HB-10."""

LETTERS = "abcde"
"""The items of an assignment, from the first on."""


class BaggageOptions(Options):
    """Rule HB-O1."""

    target: Annotated[int, Offered((10, 15, 20, 25, 30))] = Field(default=25, ge=10, le=30)


class Phase(Enum):
    """What the seat to move is doing."""

    SEARCH = "search"
    TWIN = "twin"
    PLACE = "place"
    CHOOSE = "choose"


class Spot(NamedTuple):
    """An item by the number of its assignment and its place there, from 0 on."""

    number: int
    at: int

    def __str__(self) -> str:
        return f"{self.number}{LETTERS[self.at]}"


class Use(NamedTuple):
    """A bonus that is used, by its assignment's number; another player's bonus names the one it copies."""

    number: int
    copied: int | None = None

    def __str__(self) -> str:
        return str(self.number) if self.copied is None else f"{self.number}:{self.copied}"


@dataclass(frozen=True, slots=True)
class Open:
    """Open another card. Rule HB-3."""

    def __str__(self) -> str:
        return "open"


@dataclass(frozen=True, slots=True)
class Stop:
    """Open no more cards. Rule HB-3."""

    def __str__(self) -> str:
        return "stop"


@dataclass(frozen=True, slots=True)
class Keep:
    """Take an open card into the bank after a twin. Rule HB-4."""

    card: Card

    def __str__(self) -> str:
        return f"keep {NAMES[self.card]}"


@dataclass(frozen=True, slots=True)
class Place:
    """Put an open card on an item, with the bonuses that this needs in their order. Rules HB-6 and HB-12."""

    card: Card
    spot: Spot
    uses: tuple[Use, ...] = ()

    def __str__(self) -> str:
        text = f"place {NAMES[self.card]} on {self.spot}"
        return " ".join((text, "with", *map(str, self.uses))) if self.uses else text


@dataclass(frozen=True, slots=True)
class Bank:
    """Add a card from the bank to the open ones. Rule HB-7."""

    card: Card

    def __str__(self) -> str:
        return f"bank {NAMES[self.card]}"


@dataclass(frozen=True, slots=True)
class Shift:
    """Move baggage from one item to another with a bonus. Rule HB-B4."""

    start: Spot
    end: Spot
    use: Use

    def __str__(self) -> str:
        return f"move {self.start} to {self.end} with {self.use}"


@dataclass(frozen=True, slots=True)
class Done:
    """End the placement. Rules HB-6 and HB-8."""

    def __str__(self) -> str:
        return "done"


@dataclass(frozen=True, slots=True)
class Take:
    """Choose an open assignment, by its number. Rule HB-10."""

    number: int

    def __str__(self) -> str:
        return f"take {self.number}"


Move: TypeAlias = Open | Stop | Keep | Place | Bank | Shift | Done | Take

OPEN, STOP, DONE = Open(), Stop(), Done()

_WORDS: dict[str, Move] = {str(move): move for move in (OPEN, STOP, DONE)}

_NUMBER = r"[1-9][0-9]?"
_SPOT = re.compile(rf"({_NUMBER})([{LETTERS}])", re.ASCII)
_USE = re.compile(rf"({_NUMBER})(?::({_NUMBER}))?", re.ASCII)


def parse(text: str) -> Move:
    """Read a move such as `open`, `place green-square on 17b with 4 9:22`, `move 3a to 7b with 12` or `take 5`.

    Raises an unreadable refusal for anything else.
    """
    try:
        return _read(text.split(" "))
    except (KeyError, ValueError):
        raise Refusal(KernelReason.UNREADABLE, text=text) from None


def _read(words: list[str]) -> Move:
    """Read the words of a move; raises KeyError or ValueError for what is none."""
    move: Move
    match words:
        case [word]:
            move = _WORDS[word]
        case ["keep", card]:
            move = Keep(CARDS_BY_NAME[card])
        case ["bank", card]:
            move = Bank(CARDS_BY_NAME[card])
        case ["take", number]:
            move = Take(_read_number(number))
        case ["place", card, "on", spot]:
            move = Place(CARDS_BY_NAME[card], _read_spot(spot))
        case ["place", card, "on", spot, "with", first, *more]:
            move = Place(CARDS_BY_NAME[card], _read_spot(spot), tuple(map(_read_use, (first, *more))))
        case ["move", start, "to", end, "with", use]:
            move = Shift(_read_spot(start), _read_spot(end), _read_use(use))
        case _:
            raise ValueError(words)
    return move


def _read_number(text: str) -> int:
    if re.fullmatch(_NUMBER, text, re.ASCII):
        return int(text)
    raise ValueError(text)


def _read_spot(text: str) -> Spot:
    if found := _SPOT.fullmatch(text):
        return Spot(int(found[1]), LETTERS.index(found[2]))
    raise ValueError(text)


def _read_use(text: str) -> Use:
    if found := _USE.fullmatch(text):
        return Use(int(found[1]), int(found[2]) if found[2] else None)
    raise ValueError(text)


class BaggageReason(Reason):
    """Why a move is refused."""

    SEARCH_FIRST = "search_first"
    OPEN_FIRST = "open_first"
    SEARCH_OVER = "search_over"
    TWIN = "twin"
    NO_TWIN = "no_twin"
    CHOOSE_NOW = "choose_now"
    NOTHING_TO_CHOOSE = "nothing_to_choose"
    NOT_OPEN = "not_open"
    NOT_IN_BANK = "not_in_bank"
    LOOKS_ALIKE = "looks_alike"
    NOT_YOUR_ITEM = "not_your_item"
    ITEM_FILLED = "item_filled"
    ITEM_EMPTY = "item_empty"
    NO_MATCH = "no_match"
    WRONG_VALUE = "wrong_value"
    NO_SUCH_BONUS = "no_such_bonus"
    OTHER_BONUSES = "other_bonuses"
    MOVE_NO_MATCH = "move_no_match"
    NOT_IN_ROW = "not_in_row"


class BaggageEnd(EndReason):
    """Why a game is over. Rules HB-E1 and HB-10."""

    TARGET_REACHED = "target_reached"
    NOTHING_LEFT = "nothing_left"


@dataclass(frozen=True, slots=True)
class Task:
    """An unfinished assignment with what lies on its items."""

    assignment: Assignment
    cards: tuple[Card | None, ...]

    @property
    def is_filled(self) -> bool:
        """Whether every item has its card."""
        return None not in self.cards


@dataclass(frozen=True, slots=True)
class Player:
    """What lies before a seat."""

    tasks: tuple[Task, ...]
    bank: tuple[Card, ...]
    """In the order of the cards."""
    completed: tuple[Assignment, ...]
    """In the order in which they were completed."""

    @property
    def score(self) -> int:
        """The points of the completed assignments. Rule HB-9."""
        return sum([each.points for each in self.completed])


@dataclass(frozen=True, slots=True)
class State:
    """A position; which card or assignment comes next is up to chance, so nothing in it is secret."""

    options: BaggageOptions
    players: tuple[Player, ...]
    row: tuple[Assignment, ...]
    deck: tuple[Assignment, ...]
    """The assignments that can still come, in the order of their numbers."""
    baggage: Heap
    discards: Heap
    open: tuple[Card, ...]
    """In the order in which they were opened; after a twin it is there twice."""
    phase: Phase
    spent: tuple[int, ...]
    """The numbers of the mover's completed assignments whose bonus was used in this turn."""
    mover: Seat | None
    starter: Seat
    end: BaggageEnd | None
    """Why this is the last round; None while the game goes on."""

    @property
    def coming(self) -> Heap:
        """The cards of which the next one is drawn: the discards where the deck is empty. Rule HB-5."""
        return self.baggage if any(self.baggage) else self.discards

    def assignment(self, number: int) -> Assignment:
        """Find an assignment that everybody sees by its number; raises KeyError for any other."""
        for player in self.players:
            for each in (*player.completed, *[task.assignment for task in player.tasks]):
                if each.number == number:
                    return each
        return {each.number: each for each in self.row}[number]
