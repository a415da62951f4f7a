"""The events of Mr. Houdini's Baggage."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.cards import Card
from bot.games.houdinis_baggage.moves import Spot, Use
from bot.games.houdinis_baggage.pieces import BaggageEnd
from bot.rules.game import SeatEvent


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
