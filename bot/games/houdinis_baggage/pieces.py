"""Mr. Houdini's Baggage: its options, players and state, refusal reasons, moves with their notation, and events."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Annotated, NamedTuple, TypeAlias

from pydantic import Field

from bot.games.houdinis_baggage.cards import Assignment, Bonus, Card, Item, Number, Pile, Use
from bot.rules.game import EndReason, Options, Seat, SeatEvent
from bot.rules.notation import names, notation
from bot.rules.options import OfferedValues
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

    def cells(self) -> "Iterator[tuple[Spot, Item, Card | None]]":
        """Yield each item with its spot and the card on it."""
        for at, (item, card) in enumerate(zip(self.assignment.items, self.cards, strict=True)):
            yield Spot(self.assignment.number, at), item, card


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

    @property
    def acting(self) -> Player:
        """The player to move, or the first one if the game is over."""
        return self.players[self.mover or 0]

    def find_assignment(self, number: int) -> Assignment:
        """Return an open, unfinished or completed assignment by its number; raise KeyError for any other."""
        for player in self.players:
            for each in (*player.completed, *[task.assignment for task in player.tasks]):
                if each.number == number:
                    return each
        return {each.number: each for each in self.row}[number]

    def item_at(self, spot: "Spot") -> Item:
        """Return an item by its spot."""
        return self.find_assignment(spot.number).items[spot.at]

    def bonus_of(self, use: "Use") -> Bonus:
        """Return the bonus that is used, perhaps a copied one."""
        return self.find_assignment(use.number if use.copied is None else use.copied).bonus


@notation("{number}{at}")
class Spot(NamedTuple):
    """An item: the number of its assignment and its index there, from 0."""

    number: Number
    at: Annotated[int, names({letter: at for at, letter in enumerate(ITEM_LETTERS)})]


@notation("open")
@dataclass(frozen=True, slots=True)
class Open:
    """Open another card. Rule HB-3."""


@notation("stop")
@dataclass(frozen=True, slots=True)
class Stop:
    """End the search. Rule HB-3."""


@notation("keep {card}")
@dataclass(frozen=True, slots=True)
class Keep:
    """Keep an open card in the bank after a twin. Rule HB-4."""

    card: Card


@notation("place {card} on {spot}[ with {uses}]")
@dataclass(frozen=True, slots=True)
class Place:
    """Put an open card on an item, with the bonuses it needs, in order. Rules HB-6 and HB-12."""

    card: Card
    spot: Spot
    uses: tuple[Use, ...] = ()


@notation("bank {card}")
@dataclass(frozen=True, slots=True)
class Bank:
    """Add a card from the bank to the open ones. Rule HB-7."""

    card: Card


@notation("move {start} to {end} with {use}")
@dataclass(frozen=True, slots=True)
class Shift:
    """Move baggage from one item to another with a bonus. Rule HB-B4."""

    start: Spot
    end: Spot
    use: Use


@notation("done")
@dataclass(frozen=True, slots=True)
class Done:
    """End the placement. Rules HB-6 and HB-8."""


@notation("take {number}")
@dataclass(frozen=True, slots=True)
class Take:
    """Take an open assignment, by its number. Rule HB-10."""

    number: Number


Move: TypeAlias = Open | Stop | Keep | Place | Bank | Shift | Done | Take

OPEN, STOP, DONE = Open(), Stop(), Done()


@dataclass(frozen=True, slots=True)
class CardOpened(SeatEvent):
    """A seat opened a card, perhaps the first of a reshuffled deck. Rules HB-3 and HB-5."""

    card: Card
    is_reshuffled: bool


@dataclass(frozen=True, slots=True)
class CardKept(SeatEvent):
    """A seat drew a twin, kept one card in its bank and lost the others. Rule HB-4."""

    card: Card
    lost: tuple[Card, ...]


@dataclass(frozen=True, slots=True)
class CardPlaced(SeatEvent):
    """A seat put a card on an item. Rules HB-6 and HB-12."""

    card: Card
    spot: Spot
    uses: tuple[Use, ...]


@dataclass(frozen=True, slots=True)
class BankUsed(SeatEvent):
    """A seat added a card from its bank. Rule HB-7."""

    card: Card


@dataclass(frozen=True, slots=True)
class BaggageMoved(SeatEvent):
    """A seat moved baggage to another item. Rule HB-B4."""

    card: Card
    start: Spot
    end: Spot
    use: Use


@dataclass(frozen=True, slots=True)
class TurnPlayed(SeatEvent):
    """A seat ended its placement, with what it completed and discarded. Rules HB-8 and HB-9."""

    completed: tuple[Assignment, ...]
    discarded: tuple[Card, ...]

    @property
    def points(self) -> int:
        """The points of what was completed."""
        return sum(each.points for each in self.completed)

    @property
    def is_staged(self) -> bool:
        """Whether something was completed, which is stamped."""
        return bool(self.completed)


@dataclass(frozen=True, slots=True)
class AssignmentTaken(SeatEvent):
    """A seat took an open assignment. Rule HB-10."""

    assignment: Assignment


@dataclass(frozen=True, slots=True)
class LastRound(SeatEvent):
    """The last round began. Rules HB-E1 and HB-10."""

    reason: BaggageEnd


GameEvent: TypeAlias = (
    CardOpened | CardKept | CardPlaced | BankUsed | BaggageMoved | TurnPlayed | AssignmentTaken | LastRound
)
"""An event of the game."""
