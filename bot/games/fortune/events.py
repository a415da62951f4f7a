"""What happens in a game of Fortune."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.games.fortune.deck import Card
from bot.games.fortune.pieces import Ending, Faces, Places, Turn
from bot.rules.game import Event, SeatEvent


@dataclass(frozen=True, slots=True)
class CardTurned(SeatEvent):
    """A turn began with this card. Rule FO-1."""

    card: Card

    @property
    def reveals_information(self) -> bool:
        """Always true: the card is turned up even if the pile comes round without chance."""
        return True


@dataclass(frozen=True, slots=True)
class Rolled(SeatEvent):
    """Dice were rolled, all eight at first. Rules FO-2 and FO-C3."""

    dice: Places
    faces: Faces
    """All eight dice after the roll."""
    revived: int | None = None
    """The place of the skull that the Sorceress freed."""


@dataclass(frozen=True, slots=True)
class Sailed(SeatEvent):
    """The first roll brought the player to the Island of Skulls. Rule FO-9."""

    skulls: int


@dataclass(frozen=True, slots=True)
class TurnEnded(SeatEvent):
    """A turn is over."""

    turn: Turn
    ending: Ending
    points: int
    """The change of the seat's total."""
    toll: int
    """The points that every opponent lost. Rule FO-9."""


@dataclass(frozen=True, slots=True)
class LineCrossed(SeatEvent):
    """A seat crossed the finish line: every other seat has one more turn. Rule FO-E1."""


@dataclass(frozen=True, slots=True)
class LineLost(Event):
    """No seat was above the line after the last round, so play goes on. Rule FO-E2."""


GameEvent: TypeAlias = CardTurned | Rolled | Sailed | TurnEnded | LineCrossed | LineLost
"""An event of the game."""
