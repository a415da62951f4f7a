"""Magpie's options, combinations, state, refusal reasons, moves with their notation, and events."""

from dataclasses import dataclass
from enum import IntEnum
from itertools import combinations
from typing import Annotated, TypeAlias

from pydantic import Field

from bot.rules.game import EndReason, Options, RollOffRound, Seat, SeatEvent
from bot.rules.notation import digits, notation
from bot.rules.options import OfferedValues
from bot.rules.refusals import RefusalReason
from bot.words import N_

DICE_COUNT = 5
SIDES = 6
TURNS_ALONE = 10
"""How many turns a seat has that plays alone. Rule MP-S1."""

Faces: TypeAlias = tuple[int, ...]
"""The five dice, left to right; a die keeps its place when rolled."""


class MagpieOptions(Options):
    """Rules MP-O1, MP-V1, MP-V2 and MP-V3."""

    target: Annotated[int, OfferedValues((50, 75, 100, 150, 200, 250, 300, 400, 500))] = Field(
        default=100,
        ge=50,
        le=500,
        title=N_("Target"),
        description=N_("Once someone reaches this score, everyone else gets one last turn."),
    )
    double_big_rolls: bool = Field(
        default=False, title=N_("Double big rolls"), description=N_("Rolling three or more dice pays double.")
    )
    reroll_fours: bool = Field(
        default=False, title=N_("Re-roll fours"), description=N_("Four of a kind that scores brings fresh dice, too.")
    )
    five_dice_bonus: bool = Field(
        default=False, title=N_("Five-dice bonus"), description=N_("Rolling all five dice pays at least 7.")
    )


class Combination(IntEnum):
    """The chart: points per rolled die. Rule MP-6."""

    TWO_PAIR = 1
    THREE_OF_A_KIND = 2
    FULL_HOUSE = 4
    FOUR_OF_A_KIND = 7
    FIVE_OF_A_KIND = 11


class MagpieReason(RefusalReason):
    """Why a roll is refused."""

    NO_DICE = "no_dice"
    NO_SUCH_DIE = "no_such_die"
    DIE_TWICE = "die_twice"
    OUT_OF_ORDER = "out_of_order"


class MagpieEnd(EndReason):
    """Why a game of Magpie is over."""

    TARGET_REACHED = "target_reached"
    TURNS_PLAYED = "turns_played"
    """A seat alone has had all its turns. Rule MP-S1."""


@dataclass(frozen=True, slots=True)
class State:
    """A position; nothing in it is secret, so it is also every seat's view."""

    options: MagpieOptions
    roll_off: tuple[RollOffRound, ...]
    """Rule MP-2."""
    faces: Faces
    scores: tuple[int, ...]
    mover: Seat | None
    """The seat to move; None once the game is over."""
    trigger: Seat | None
    """The first seat to reach the target; it gets no further turn. Rule MP-9."""
    gains: tuple[int, ...] = ()
    """The points of each turn of a seat that plays alone; empty with opponents. Rule MP-S1."""

    @property
    def is_alone(self) -> bool:
        """Whether one seat plays alone, for the most points in ten turns. Rule MP-S1."""
        return len(self.scores) == 1


@notation("roll[ {dice}]")
@dataclass(frozen=True, slots=True)
class Roll:
    """Roll the dice at these places, 1 to 5, in rising order. Rule MP-4."""

    dice: Annotated[tuple[Annotated[int, digits("[0-9]")], ...], sorted]


ROLLS: tuple[Roll, ...] = tuple(
    Roll(dice) for count in range(1, DICE_COUNT + 1) for dice in combinations(range(1, DICE_COUNT + 1), count)
)
"""Every possible roll, fewest dice first."""


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
