"""What Magpie is made of: options, dice combinations, the move with its notation, the state and the events."""

from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from itertools import combinations
from typing import Annotated, TypeAlias

from pydantic import Field

from bot.rules.game import Event, Options, Seat
from bot.rules.options import Offered
from bot.rules.outcome import EndReason
from bot.rules.refusals import KernelReason, Reason, Refusal
from bot.rules.roll_off import RollOffRound

DICE = 5

_REMEMBERED = 64
"""So many texts of moves are read once only; there are 31 moves, which each table writes over and over."""

Faces: TypeAlias = tuple[int, ...]
"""The five dice as they lie, left to right; a die keeps its place when it is rolled."""


class MagpieOptions(Options):
    """Rules MP-O1, MP-V1, MP-V2 and MP-V3."""

    target: Annotated[int, Offered((50, 75, 100, 150, 200, 250, 300, 400, 500))] = Field(default=100, ge=50, le=500)
    double_big_rolls: bool = False
    reroll_fours: bool = False
    five_dice_bonus: bool = False


class Combination(IntEnum):
    """The chart: each value is the points per rolled die. Rule MP-6."""

    TWO_PAIR = 1
    THREE_OF_A_KIND = 2
    FULL_HOUSE = 4
    FOUR_OF_A_KIND = 7
    FIVE_OF_A_KIND = 11


class MagpieReason(Reason):
    """Why a roll is refused."""

    NO_DICE = "no_dice"
    NO_SUCH_DIE = "no_such_die"
    DIE_TWICE = "die_twice"
    OUT_OF_ORDER = "out_of_order"


class MagpieEnd(EndReason):
    """Why a game of Magpie is over."""

    TARGET_REACHED = "target_reached"


@dataclass(frozen=True, slots=True)
class Roll:
    """Roll these dice, named by their places 1 to 5 on the table, in rising order. Rule MP-4."""

    dice: tuple[int, ...]

    def __str__(self) -> str:
        return " ".join(("roll", *map(str, self.dice)))


@lru_cache(_REMEMBERED)
def parse(text: str) -> Roll:
    """Read `roll 1 3 5`; raises an unreadable refusal for anything else."""
    verb, *places = text.split(" ")
    if verb != "roll" or not all(place.isascii() and place.isdecimal() and len(place) == 1 for place in places):
        raise Refusal(KernelReason.UNREADABLE, text=text)
    return Roll(tuple(sorted(map(int, places))))


ROLLS: tuple[Roll, ...] = tuple(
    Roll(dice) for count in range(1, DICE + 1) for dice in combinations(range(1, DICE + 1), count)
)
"""Every roll there is, few dice first."""


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
    """The first seat that reached the target; its turn does not come again. Rule MP-9."""


@dataclass(frozen=True, slots=True)
class Rolled(Event):
    """A seat rolled some dice and scored for what lies on the table, perhaps nothing. Rules MP-4 to MP-7."""

    seat: Seat
    dice: tuple[int, ...]
    """The places of the rolled dice, 1 to 5."""
    faces: Faces
    """All five dice after the roll."""
    combination: Combination | None
    """What the points were given for; None with points is the bonus of MP-V3."""
    points: int


@dataclass(frozen=True, slots=True)
class TableCleared(Event):
    """The seat re-rolled all five dice for no points. Rules MP-8 and MP-V2."""

    seat: Seat
    faces: Faces


@dataclass(frozen=True, slots=True)
class TargetReached(Event):
    """A seat reached the target first: every other seat has one more turn. Rule MP-9."""

    seat: Seat
