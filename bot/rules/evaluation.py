"""What moves are worth: computer players of all levels choose by it."""

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, auto
from itertools import accumulate
from math import exp, inf
from typing import Final, Generic, Protocol, TypeVar

from bot.rules.chance import Chance
from bot.rules.game import MoveT, ViewT

_ODDS: Final = 1_000_000_000
"""Chance draws integers, so probabilities are rounded to this fraction."""

_DIGITS: Final = 6
"""Decimals that tell values apart: those of equal moves may be rounded differently."""

ViewT_contra = TypeVar("ViewT_contra", contravariant=True)
MoveT_contra = TypeVar("MoveT_contra", contravariant=True)


class Unit(StrEnum):
    """What a move's value is measured in."""

    POINTS = auto()
    """Points expected of this turn."""
    FINAL_POINTS = auto()
    """The score expected at the end of the game."""
    WINS = auto()
    """The probability (0 to 1) of winning; a win shared by two counts half."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The values of all legal moves of a position, to the seat to move."""

    values: Sequence[float]
    """A value for each move, in the order of the moves: what it is worth before its dice or cards are known."""
    unit: Unit
    is_exact: bool = False
    """Whether the values are those of perfect play by everyone, except for rounding."""


class Evaluator(Protocol[ViewT_contra, MoveT_contra]):
    """Evaluates the legal moves of a view."""

    def __call__(self, view: ViewT_contra, moves: Sequence[MoveT_contra], /) -> Evaluation:
        """Return the value of each move."""


@dataclass(frozen=True, slots=True)
class BestMove(Generic[ViewT, MoveT]):
    """A player that makes the move with the highest value, the first of equals."""

    evaluate: Evaluator[ViewT, MoveT]

    def __call__(self, view: ViewT, moves: Sequence[MoveT], chance: Chance) -> MoveT:
        """Choose a move."""
        if len(moves) == 1:
            return moves[0]
        values = self.evaluate(view, moves).values
        return moves[max(range(len(moves)), key=values.__getitem__)]


@dataclass(frozen=True, slots=True)
class Limit(Generic[ViewT, MoveT]):
    """The most that a move may give away, by the values of a stronger player."""

    evaluate: Evaluator[ViewT, MoveT]
    losses: Mapping[Unit, float] = field(hash=False)
    """How much worse than the best a move may be, by the unit of the values; without a limit for a unit, anything."""

    def choose(self, view: ViewT, moves: Sequence[MoveT]) -> Sequence[MoveT]:
        """Return the moves that give away no more."""
        found = self.evaluate(view, moves)
        least = max(found.values) - self.losses.get(found.unit, inf)
        return [move for move, value in zip(moves, found.values, strict=True) if value >= least]


@dataclass(frozen=True, slots=True)
class CarelessMove(Generic[ViewT, MoveT]):
    """A player that also makes worse moves, the worse the less often, but none that gives away too much.

    Equal moves count once: otherwise a bad move that can be made in many ways would be made often.
    """

    evaluate: Evaluator[ViewT, MoveT]
    usual_loss: float
    """A move that is worse than the best by this much, in the unit of the values, is made e (2.7) times less often."""
    largest_loss: float
    """Moves that are worse by more are never made."""
    limit: Limit[ViewT, MoveT] | None = None
    """What a move may give away of the whole game: late in it, points of a turn are no measure."""

    def __call__(self, view: ViewT, moves: Sequence[MoveT], chance: Chance) -> MoveT:
        """Choose a move."""
        if len(moves) == 1:
            return moves[0]
        candidates = moves if self.limit is None else self.limit.choose(view, moves)
        values = self.evaluate(view, candidates).values
        best = max(values)
        losses = [round(best - value, _DIGITS) for value in values]
        allowed = sorted({loss for loss in losses if loss <= self.largest_loss})
        weights = [max(1, round(_ODDS * exp(-loss / self.usual_loss))) for loss in allowed]
        drawn = chance.randbelow(sum(weights))
        return candidates[losses.index(allowed[bisect_right(list(accumulate(weights)), drawn)])]
