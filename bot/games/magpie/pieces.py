"""Magpie's options, combinations, refusal reasons and state."""

from dataclasses import dataclass
from enum import IntEnum
from typing import Annotated, TypeAlias

from pydantic import Field

from bot.rules.game import Options, Seat
from bot.rules.options import OfferedValues
from bot.rules.outcome import EndReason
from bot.rules.refusals import RefusalReason
from bot.rules.roll_off import RollOffRound
from bot.words import N_

DICE_COUNT = 5


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
