"""The race of two seats to the finish line: chances of winning by how far each is from it.

They are stored, since `python -m bot train fortune` takes minutes to find them; looking one up takes microseconds.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bot.games.fortune.minds.turn_values import Points, Values
from bot.games.fortune.pieces import DICE_COUNT
from bot.games.fortune.scoring import CAPTAIN_FACTOR, SCORE_STEP, SWORD_PENALTY
from bot.rules.content import Tables

WinChances: TypeAlias = NDArray[np.float64]

LONGEST: Final = 100
"""The longest stored distance, in steps of the score; longer ones count as this one."""

_FARTHEST: Final = 80
"""The longest distance looked up at the start of a turn. It leaves room for the points that the turn may lose."""

MOST_BEHIND: Final = 2
"""How far behind a seat may be on the last turn, as a multiple of the longest stored distance."""

LEAST_POINTS, _MOST_POINTS = -SWORD_PENALTY * DICE_COUNT // SCORE_STEP, 65 * CAPTAIN_FACTOR
"""The fewest and the most points of a turn, in steps."""

WHOLE: Final = 65_535
"""The stored value of certainty."""


@dataclass(frozen=True, slots=True)
class RaceUtility:
    """The chance of winning after a turn with points."""

    chances: tuple[float, ...]
    """By points in steps, from the fewest."""
    nine_wins: bool
    tolerance: float = 1e-4

    def evaluate(self, points: Points) -> Values:
        """Return the chances after points."""
        return np.array(self.chances)[points // SCORE_STEP - LEAST_POINTS]

    def evaluate_nine(self, values: Values) -> Values:
        """Return certainty if nine of a kind wins."""
        return np.ones_like(values) if self.nine_wins else values


class Race:
    """How likely the seat to move is to win, before its card is turned up."""

    def __init__(self, ahead: WinChances, last: WinChances) -> None:
        """Keep the chances.

        Args:
            ahead: By the distances of the seat to move and of the other, while nobody has crossed the line.
            last: On the last turn, by the points that the seat is behind. Rule FO-E1.
        """
        self.ahead, self.last = ahead, last

    @property
    def longest(self) -> int:
        """The longest distance of this race, in steps."""
        return len(self.ahead) - 1

    def utility(self, own: int, other: int, *, nine_wins: bool) -> RaceUtility:
        """Return the utility of points, from the distances in points to the line while nobody has crossed it."""
        chances = tuple(self.after_turn(*map(np.atleast_1d, _steps(own, other)))[:, 0].tolist())
        return RaceUtility(chances, nine_wins)

    def chance_of_other(self, own: int, other: int) -> float:
        """Return the chance of the seat that is not to move, from the distances in points while nobody has crossed."""
        return float(1 - self.ahead[_steps(own, other)])

    def after_turn(self, own: NDArray[np.int_], other: NDArray[np.int_]) -> WinChances:
        """Return the chance by points of the turn, with a column for each pair of distances in steps."""
        points = np.arange(LEAST_POINTS, _MOST_POINTS + 1)[:, None]
        left = own - points
        behind = np.clip(other - left, 0, len(self.last) - 1)
        return np.where(
            left >= 0,
            1 - self.ahead[other, np.clip(left, 0, self.longest)],
            1 - self.last[np.where(left < 0, behind, 0)],
        )


def _steps(own: int, other: int) -> tuple[int, int]:
    """Return distances in steps; if one is too long, both lose as much as the nearer seat can spare."""
    longest, shortest = max(own, other) // SCORE_STEP, min(own, other) // SCORE_STEP
    less = max(0, min(longest - _FARTHEST, shortest - _FARTHEST // 2))
    return _shorten(own // SCORE_STEP - less), _shorten(other // SCORE_STEP - less)


def _shorten(steps: int) -> int:
    return min(max(steps, 0), _FARTHEST)


def last_turn_utility(behind: int, *, nine_wins: bool) -> RaceUtility:
    """Return the utility of points on the last turn, by the points that the seat is behind."""
    chances = tuple(last_turn(np.array([behind // SCORE_STEP]))[:, 0].tolist())
    return RaceUtility(chances, nine_wins)


def last_turn(behind: NDArray[np.int_]) -> WinChances:
    """Return the share of the win by points, with a column for each number of steps behind. Rule FO-E3."""
    return share_of_win(np.arange(LEAST_POINTS, _MOST_POINTS + 1)[:, None], behind)


def share_of_win(points: NDArray[np.int_], behind: NDArray[np.int_]) -> WinChances:
    """Return the share of the win by points and by steps behind. Rule FO-E3."""
    return np.where(points > behind, 1.0, np.where(points == behind, 0.5, 0.0))


# Saves 2 ms of a computer player's move.
@lru_cache(maxsize=8)
def load_race(tables: Tables) -> Race:
    """Return the stored race.

    Raises:
        BrokenTables: It can't be used.
    """
    shapes = {"ahead": (LONGEST + 1, LONGEST + 1), "last": (MOST_BEHIND * LONGEST + 1,)}
    arrays = tables.load("uint16", shapes)
    return Race(arrays["ahead"] / WHOLE, arrays["last"] / WHOLE)
