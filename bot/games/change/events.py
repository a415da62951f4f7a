"""The events of Change."""

from dataclasses import dataclass

from bot.games.change.board import Card, Space
from bot.games.change.pieces import Dice
from bot.rules.game import Event, Seat


@dataclass(frozen=True, slots=True)
class TrackRolled(Event):
    """The track dice were rolled. Rules CH-3, CH-4 and CH-S3."""

    seat: Seat
    dice: Dice
    space: Space
    """The space reached: Start after doubles."""

    @property
    def is_double(self) -> bool:
        """Whether the dice are doubles, which end the turn. Rule CH-4."""
        return self.dice[0] == self.dice[1]


@dataclass(frozen=True, slots=True)
class Landed(Event):
    """A seat landed on a challenge space. Rule CH-5."""

    seat: Seat
    space: Space
    changes: tuple[int, ...]
    """The change of each seat's credits."""


@dataclass(frozen=True, slots=True)
class Challenged(Event):
    """A seat tried a challenge. Rule CH-6."""

    seat: Seat
    space: Space
    rolls: tuple[Dice, Dice, Dice]
    """The rolls of three, two and one die; the highest die of each counts."""

    @property
    def total(self) -> int:
        """The sum of the dice set aside."""
        return sum(map(max, self.rolls))


@dataclass(frozen=True, slots=True)
class MarkerPlaced(Event):
    """A seat placed a challenge marker. Rules CH-6, CH-7, CH-C8 and CH-M4."""

    seat: Seat
    space: Space
    fills_set: bool
    """Whether the seat now releases double in the set. Rule CH-11."""


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A seat played a message card. Rules CH-7, CH-M2 and CH-M4."""

    seat: Seat
    card: Card

    @property
    def reveals_information(self) -> bool:
        """True: the card was secret."""
        return True


@dataclass(frozen=True, slots=True)
class CardsReplaced(Event):
    """A seat put cards under the deck, unseen, and drew as many. Rules CH-C2 and CH-M3."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class CardsLost(Event):
    """A seat kept one card and put the rest under the deck, unseen. Rule CH-S6."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class CardsDrawn(Event):
    """A seat drew message cards. Rule CH-M1."""

    seat: Seat
    count: int
    """The cards drawn."""
    owed: int
    """The cards that an empty hand would have drawn."""


@dataclass(frozen=True, slots=True)
class CardsSeen(Event):
    """The faces of drawn cards, for the seat that drew them."""

    seat: Seat
    cards: tuple[Card, ...]

    @property
    def audience(self) -> Seat | None:
        """The seat that drew."""
        return self.seat


@dataclass(frozen=True, slots=True)
class Chosen(Event):
    """The lander let others follow a corner. Rule CH-C0."""

    seat: Seat
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Released(Event):
    """A seat released credits at a corner or by Humility. Rules CH-C1, CH-C3 to CH-C7 and CH-S4."""

    seat: Seat
    count: int
    dice: Dice
    """The dice rolled for it, if any."""


@dataclass(frozen=True, slots=True)
class Received(Event):
    """A seat received credits by Arrogance. Rule CH-S5."""

    seat: Seat
    dice: Dice


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A Ragz moved to a space without landing there. Rules CH-C5, CH-C8 and CH-S2."""

    seat: Seat
    space: Space


@dataclass(frozen=True, slots=True)
class CornerSkipped(Event):
    """A seat came to a corner that no one can follow. Rule CH-C0."""

    seat: Seat
    space: Space
