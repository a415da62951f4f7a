"""The options, reasons and state of Mr. Houdini's Baggage."""

from enum import Enum
from typing import Annotated, NamedTuple

from pydantic import Field

from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.cards import Card, Pile
from bot.rules.game import Options, Seat
from bot.rules.options import OfferedValues
from bot.rules.outcome import EndReason
from bot.rules.refusals import RefusalReason
from bot.words import N_

MOST_SEATS = 4
ROW_SIZE = 5
"""The number of open assignments. Rule HB-1."""

MAX_TASKS = 2
"""The most unfinished assignments of a seat. Rules HB-1 and HB-10."""

ITEM_LETTERS = "abcde"
"""The letters of an assignment's items."""


class BaggageOptions(Options):
    """Rule HB-O1."""

    target: Annotated[int, OfferedValues((10, 15, 20, 25, 30))] = Field(
        default=25, ge=10, le=30, title=N_("Target"), description=N_("Reaching this starts the last round.")
    )


class Phase(Enum):
    """The phase of the mover's turn."""

    SEARCH = "search"
    TWIN = "twin"
    PLACE = "place"
    CHOOSE = "choose"


class BaggageReason(RefusalReason):
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
    """Why the game ends. Rules HB-E1 and HB-10."""

    TARGET_REACHED = "target_reached"
    NOTHING_LEFT = "nothing_left"


class Task(NamedTuple):
    """An unfinished assignment with the cards on its items."""

    assignment: Assignment
    cards: tuple[Card | None, ...]

    @classmethod
    def empty(cls, assignment: Assignment) -> "Task":
        """Return an assignment without cards."""
        return cls(assignment, (None,) * len(assignment.items))

    @property
    def is_filled(self) -> bool:
        """Whether every item has a card."""
        return None not in self.cards


class Player(NamedTuple):
    """The assignments and the bank of a seat."""

    tasks: tuple[Task, ...]
    bank: tuple[Card, ...]
    """Sorted."""
    completed: tuple[Assignment, ...]
    """Oldest first."""

    @property
    def score(self) -> int:
        """The points of the completed assignments. Rule HB-9."""
        return sum([each.points for each in self.completed])


class State(NamedTuple):
    """A position. Nothing in it is secret: cards and assignments are drawn by chance when they are needed."""

    options: BaggageOptions
    players: tuple[Player, ...]
    row: tuple[Assignment, ...]
    deck: tuple[Assignment, ...]
    """The assignments not drawn yet, by number."""
    baggage: Pile
    discards: Pile
    open: tuple[Card, ...]
    """In the order they were opened; a twin is there twice."""
    phase: Phase
    spent: tuple[int, ...]
    """The numbers of the assignments whose bonus was used this turn."""
    mover: Seat | None
    starter: Seat
    end: BaggageEnd | None
    """Why this is the last round; None while the game goes on."""

    @property
    def draw_pile(self) -> Pile:
        """The pile the next card is drawn from: the discards if the deck is empty. Rule HB-5."""
        return self.baggage if any(self.baggage) else self.discards

    def find_assignment(self, number: int) -> Assignment:
        """Return an open, unfinished or completed assignment by its number; raise KeyError for any other."""
        for player in self.players:
            for each in (*player.completed, *[task.assignment for task in player.tasks]):
                if each.number == number:
                    return each
        return {each.number: each for each in self.row}[number]
