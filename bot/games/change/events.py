"""What happens in a game of Change."""

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
    """Where the Ragz has come to: Start after doubles."""

    @property
    def is_double(self) -> bool:
        """Whether the dice ended the turn. Rule CH-4."""
        return self.dice[0] == self.dice[1]


@dataclass(frozen=True, slots=True)
class Landed(Event):
    """Somebody landed on a challenge space. Rule CH-5."""

    seat: Seat
    space: Space
    changes: tuple[int, ...]
    """What every seat's credits changed by."""


@dataclass(frozen=True, slots=True)
class Challenged(Event):
    """A challenge was rolled for. Rule CH-6."""

    seat: Seat
    space: Space
    rolls: tuple[Dice, Dice, Dice]
    """What three, two and one die showed; the highest of each counts."""

    @property
    def total(self) -> int:
        """The points of the three dice that were set aside."""
        return sum(map(max, self.rolls))


@dataclass(frozen=True, slots=True)
class MarkerPlaced(Event):
    """A challenge marker was placed. Rules CH-6, CH-7, CH-C8 and CH-M4."""

    seat: Seat
    space: Space
    fills_set: bool
    """Whether the seat releases double there from now on. Rule CH-11."""


@dataclass(frozen=True, slots=True)
class CardPlayed(Event):
    """A message card was shown and put under the deck. Rules CH-7, CH-M2 and CH-M4."""

    seat: Seat
    card: Card

    @property
    def reveals_information(self) -> bool:
        """Nobody else knew that the card was there."""
        return True


@dataclass(frozen=True, slots=True)
class CardsReplaced(Event):
    """Somebody put cards under the deck, unseen, and drew as many. Rules CH-C2 and CH-M3."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class CardsLost(Event):
    """Somebody kept one card and put the others under the deck, unseen. Rule CH-S6."""

    seat: Seat
    count: int


@dataclass(frozen=True, slots=True)
class CardsDrawn(Event):
    """Somebody drew message cards. Rule CH-M1."""

    seat: Seat
    count: int
    """How many came into the hand."""
    owed: int
    """How many there would have been with an empty hand."""


@dataclass(frozen=True, slots=True)
class CardsSeen(Event):
    """Whoever drew cards sees which they are."""

    seat: Seat
    cards: tuple[Card, ...]

    @property
    def audience(self) -> Seat | None:
        """The seat that drew."""
        return self.seat


@dataclass(frozen=True, slots=True)
class Chosen(Event):
    """The lander let others do what a corner says. Rule CH-C0."""

    seat: Seat
    seats: tuple[Seat, ...]


@dataclass(frozen=True, slots=True)
class Released(Event):
    """Somebody released credits at a corner or because of Humility. Rules CH-C1, CH-C3 to CH-C7 and CH-S4."""

    seat: Seat
    count: int
    dice: Dice
    """What was rolled for it, if anything was."""


@dataclass(frozen=True, slots=True)
class Received(Event):
    """Somebody received credits because of Arrogance. Rule CH-S5."""

    seat: Seat
    dice: Dice


@dataclass(frozen=True, slots=True)
class Moved(Event):
    """A Ragz went to a space, without landing there. Rules CH-C5, CH-C8 and CH-S2."""

    seat: Seat
    space: Space


@dataclass(frozen=True, slots=True)
class NobodyAble(Event):
    """Somebody came to a corner, and nobody was able to do what it says. Rule CH-C0."""

    seat: Seat
    space: Space
