"""The events of Change."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.games.change.board import Card, Space
from bot.games.change.pieces import Dice
from bot.rules.game import Seat, SeatEvent


@dataclass(frozen=True, slots=True)
class TrackRolled(SeatEvent):
    """The track dice were rolled. Rules CH-3, CH-4 and CH-S3."""

    dice: Dice
    space: Space
    """The space reached: Start after doubles."""

    @property
    def is_double(self) -> bool:
        """Whether the dice are doubles, which end the turn. Rule CH-4."""
        return self.dice[0] == self.dice[1]


@dataclass(frozen=True, slots=True)
class Landed(SeatEvent):
    """A seat landed on a challenge space. Rule CH-5."""

    space: Space
    changes: tuple[int, ...]
    """The change of each seat's credits."""


@dataclass(frozen=True, slots=True)
class Challenged(SeatEvent):
    """A seat tried a challenge. Rule CH-6."""

    space: Space
    rolls: tuple[Dice, Dice, Dice]
    """The rolls of three, two and one die; the highest die of each counts."""

    @property
    def total(self) -> int:
        """The sum of the dice set aside."""
        return sum(map(max, self.rolls))


@dataclass(frozen=True, slots=True)
class MarkerPlaced(SeatEvent):
    """A seat placed a challenge marker. Rules CH-6, CH-7, CH-C8 and CH-M4."""

    space: Space
    fills_set: bool
    """Whether the seat now releases double in the set. Rule CH-11."""


@dataclass(frozen=True, slots=True)
class CardPlayed(SeatEvent):
    """A seat played a message card. Rules CH-7, CH-M2 and CH-M4."""

    card: Card

    @property
    def reveals_information(self) -> bool:
        """True: the card was secret."""
        return True


@dataclass(frozen=True, slots=True)
class CardsReplaced(SeatEvent):
    """A seat put cards under the deck, unseen, and drew as many. Rules CH-C2 and CH-M3."""

    count: int


@dataclass(frozen=True, slots=True)
class CardsLost(SeatEvent):
    """A seat kept one card and put the rest under the deck, unseen. Rule CH-S6."""

    count: int


@dataclass(frozen=True, slots=True)
class CardsDrawn(SeatEvent):
    """A seat drew message cards. Rule CH-M1."""

    count: int


@dataclass(frozen=True, slots=True)
class CardsSeen(SeatEvent):
    """The faces of drawn cards, for the seat that drew them."""

    cards: tuple[Card, ...]

    @property
    def audience(self) -> Seat | None:
        """The seat that drew."""
        return self.seat


@dataclass(frozen=True, slots=True)
class Chosen(SeatEvent):
    """The lander let others follow a corner. Rule CH-C0."""

    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Released(SeatEvent):
    """A seat released credits at a corner or by Humility. Rules CH-C1, CH-C3 to CH-C7 and CH-S4."""

    count: int
    space: Space
    """The space that caused it."""
    dice: Dice
    """The dice rolled for it, if any."""


@dataclass(frozen=True, slots=True)
class Received(SeatEvent):
    """A seat received credits by Arrogance. Rule CH-S5."""

    space: Space
    dice: Dice


@dataclass(frozen=True, slots=True)
class Moved(SeatEvent):
    """A Ragz moved to a space without landing there. Rules CH-C5, CH-C8 and CH-S2."""

    space: Space


@dataclass(frozen=True, slots=True)
class SpaceSkipped(SeatEvent):
    """A seat came to a corner that no one can follow, or to Backslide with a card at most. Rules CH-C0 and CH-S6."""

    space: Space


GameEvent: TypeAlias = (
    TrackRolled
    | Landed
    | Challenged
    | MarkerPlaced
    | CardPlayed
    | CardsReplaced
    | CardsLost
    | CardsDrawn
    | CardsSeen
    | Chosen
    | Released
    | Received
    | Moved
    | SpaceSkipped
)
"""An event of the game."""
