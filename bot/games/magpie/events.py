"""What happens in a game of Magpie."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.games.magpie.pieces import Combination, Faces
from bot.rules.game import SeatEvent


@dataclass(frozen=True, slots=True)
class Rolled(SeatEvent):
    """A seat rolled some dice and scored the combination on the table, if any. Rules MP-4 to MP-7."""

    dice: tuple[int, ...]
    """Places of the rolled dice, 1 to 5."""
    before: Faces
    """All five dice before the roll."""
    faces: Faces
    """All five dice after the roll."""
    combination: Combination | None
    """The scoring combination. None with points means the bonus of MP-V3."""
    points: int


@dataclass(frozen=True, slots=True)
class TableCleared(SeatEvent):
    """The seat re-rolled all five dice for no points. Rules MP-8 and MP-V2."""

    faces: Faces


@dataclass(frozen=True, slots=True)
class TargetReached(SeatEvent):
    """A seat reached the target first: every other seat has one more turn. Rule MP-9."""


GameEvent: TypeAlias = Rolled | TableCleared | TargetReached
"""An event of the game."""
