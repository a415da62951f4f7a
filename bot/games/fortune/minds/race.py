"""The race of two seats to the finish line: chances of winning by how far each is from it.

`solve_race` finds them for all pairs of distances with the exact best turn for every card, as if each turn began with a
full deck. Its result is stored, since that takes minutes; looking one up takes microseconds.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb, log
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bot.games.fortune.minds.turn_values import Points, TurnValues, Values
from bot.games.fortune.pieces import DICE_COUNT, MAX_SKULLS, MIN_ROLLED_DICE, SIDES, Card, CardKind
from bot.games.fortune.scoring import CAPTAIN_FACTOR, SCORE_STEP
from bot.rules.content import Tables

Chances: TypeAlias = NDArray[np.float64]

LONGEST: Final = 100
"""The longest distance that is told apart, in steps of the score."""

_FARTHEST: Final = 80
"""The longest distance at the start of a turn: points may be lost, which must not be free."""

_MOST_BEHIND: Final = 2
"""The most steps behind on the last turn that are told apart, as a multiple of the longest distance."""

_LEAST_POINTS, _MOST_POINTS = -80, 130
"""The fewest and the most points of a turn, in steps."""

_TOLERANCE: Final = 0.0003
"""The iteration ends once no chance changes by more in a sweep."""

_BATCH: Final = 256
"""Positions that are evaluated side by side."""

_TOLLS: Final = np.arange(2 * DICE_COUNT * CAPTAIN_FACTOR)[:, None]
"""The tolls of the Island in steps, and more."""

_WHOLE: Final = 65_535
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
        return np.array(self.chances)[points // SCORE_STEP - _LEAST_POINTS]

    def evaluate_nine(self, values: Values) -> Values:
        """Return certainty if nine of a kind wins."""
        return np.ones_like(values) if self.nine_wins else values


class Race:
    """Chances of winning of the seat to move, before its card is turned up."""

    def __init__(self, ahead: Chances, last: Chances) -> None:
        """Look up chances.

        Args:
            ahead: By the distances of the seat to move and of the other, while nobody has crossed the line.
            last: On the last turn, by the points that the seat is behind. Rule FO-E1.
        """
        self.ahead, self.last = ahead, last

    @property
    def longest(self) -> int:
        """The longest distance that is told apart, in steps."""
        return len(self.ahead) - 1

    def utility(self, own: int, other: int, *, nine_wins: bool) -> RaceUtility:
        """Return the utility of points, from the distances in points to the line while nobody has crossed it."""
        chances = tuple(self.after_turn(*map(np.atleast_1d, _steps(own, other)))[:, 0].tolist())
        return RaceUtility(chances, nine_wins)

    def last_utility(self, behind: int, *, nine_wins: bool) -> RaceUtility:
        """Return the utility of points on the last turn."""
        chances = tuple(_last_turn(np.array([behind // SCORE_STEP]))[:, 0].tolist())
        return RaceUtility(chances, nine_wins)

    def chance_of_other(self, own: int, other: int) -> float:
        """Return the chance of the seat that is not to move, from the distances in points while nobody has crossed."""
        return float(1 - self.ahead[_steps(own, other)])

    def after_turn(self, own: NDArray[np.int_], other: NDArray[np.int_]) -> Chances:
        """Return the chance by points of the turn, with a column for each pair of distances in steps."""
        points = np.arange(_LEAST_POINTS, _MOST_POINTS + 1)[:, None]
        left = own - points
        behind = np.clip(other - left, 0, len(self.last) - 1)
        return np.where(
            left >= 0,
            1 - self.ahead[other, np.clip(left, 0, self.longest)],
            1 - self.last[np.where(left < 0, behind, 0)],
        )


def _steps(own: int, other: int) -> tuple[int, int]:
    """Return distances in steps; where one is too long, both are shortened while the line is still far away."""
    longest, shortest = max(own, other) // SCORE_STEP, min(own, other) // SCORE_STEP
    less = max(0, min(longest - _FARTHEST, shortest - _FARTHEST // 2))
    return _shorten(own // SCORE_STEP - less), _shorten(other // SCORE_STEP - less)


def _shorten(steps: int) -> int:
    return min(max(steps, 0), _FARTHEST)


def _last_turn(behind: NDArray[np.int_]) -> Chances:
    """Return the share of the win by points, with a column for each number of steps behind. Rule FO-E3."""
    return _share_of_win(np.arange(_LEAST_POINTS, _MOST_POINTS + 1)[:, None], behind)


def _share_of_win(points: NDArray[np.int_], behind: NDArray[np.int_]) -> Chances:
    return np.where(points > behind, 1.0, np.where(points == behind, 0.5, 0.0))


@dataclass(frozen=True, slots=True, eq=False)
class _Columns:
    """Utilities of several positions side by side."""

    chances: Chances
    tolerance: float = 1e-4

    def evaluate(self, points: Points) -> Values:
        return self.chances[points // SCORE_STEP - _LEAST_POINTS]

    def evaluate_nine(self, values: Values) -> Values:
        return values


def solve_race(cards: Sequence[Card], report: Callable[[float], None], *, longest: int) -> Race:
    """Find all chances of winning with a deck.

    Args:
        cards: The deck.
        report: Called with the largest change of each sweep, which falls to 0.0003.
        longest: The longest distance that is told apart, in steps.
    """
    own, other = (axis.ravel() for axis in np.indices((longest + 1, longest + 1)))
    order = np.argsort(own + other, kind="stable")
    guess = 1 / (1 + np.exp((own - other - 5) / 15)).reshape(longest + 1, longest + 1)
    race, change = Race(guess, solve_last_turn(cards, longest)), 1.0
    while change > _TOLERANCE:
        change = 0.0
        for first in range(0, len(order), _BATCH):
            at = own[order[first : first + _BATCH]], other[order[first : first + _BATCH]]
            found = improve_race(race, cards, *at)
            change = max(change, float(np.abs(found - race.ahead[at]).max()))
            race.ahead[at] = found
        report(change)
    return race


def solve_last_turn(cards: Sequence[Card], longest: int = LONGEST) -> Chances:
    """Return the chances of winning the last turn by the steps behind. Rule FO-E1."""
    behind = np.arange(_MOST_BEHIND * longest + 1)
    return _mean_over_cards(cards, _last_turn(behind), _share_of_win(_TOLLS, behind))


def improve_race(race: Race, cards: Sequence[Card], own: NDArray[np.int_], other: NDArray[np.int_]) -> Chances:
    """Do one sweep of value iteration over these positions, which are pairs of distances in steps."""
    tolled = 1 - race.ahead[np.clip(other + _TOLLS, 0, race.longest), own]
    return _mean_over_cards(cards, race.after_turn(own, other), tolled)


def _mean_over_cards(cards: Sequence[Card], chances: Chances, tolled: Chances) -> Chances:
    """Return the chance of winning before a card is turned up.

    Args:
        cards: The deck.
        chances: By points, with a column for each position.
        tolled: By the steps that the opponents lose on the Island, with the same columns.
    """
    utility, counts, total = _Columns(chances), Counter(cards), np.zeros(chances.shape[1])
    for card, copies in counts.items():
        values = TurnValues(card, utility, spell=card.kind is CardKind.SORCERESS).roll_values[0]
        for toll, chance in _island_tolls(card).items():
            values = values + chance * (tolled[toll] - chances[-_LEAST_POINTS])
        total += copies * values
    return total / counts.total()


@lru_cache(maxsize=64)
def _island_tolls(card: Card) -> dict[int, float]:
    """Return the chance of each toll of the Island at the start of a turn. Rule FO-9."""
    if card.kind is CardKind.SEA_BATTLE:
        return {}
    factor = CAPTAIN_FACTOR if card.kind is CardKind.CAPTAIN else 1
    tolls: dict[int, float] = defaultdict(float)
    for skulls in range(MAX_SKULLS + 2 - card.skulls, DICE_COUNT + 1):
        for final, chance in _voyage(skulls, is_short=card.kind is CardKind.STORM):
            tolls[(final + card.skulls) * factor] += _chance_of(DICE_COUNT, skulls) * chance
    return dict(tolls)


def _voyage(skulls: int, *, is_short: bool) -> Iterator[tuple[int, float]]:
    """Yield numbers of skulls at the end of a voyage with their chances; in a Storm it has one roll."""
    free = DICE_COUNT - skulls
    if free < MIN_ROLLED_DICE:
        yield skulls, 1.0
        return
    for more in range(free + 1):
        chance = _chance_of(free, more)
        if more and not is_short:
            yield from ((final, chance * rest) for final, rest in _voyage(skulls + more, is_short=is_short))
        else:
            yield skulls + more, chance


def _chance_of(dice: int, skulls: int) -> float:
    ways: int = comb(dice, skulls) * (SIDES - 1) ** (dice - skulls)
    return float(ways / SIDES**dice)


def pack(race: Race) -> dict[str, NDArray[np.uint16]]:
    """Return the arrays to store."""
    return {"ahead": _pack(race.ahead), "last": _pack(race.last)}


def _pack(chances: Chances) -> NDArray[np.uint16]:
    return np.round(chances * _WHOLE).astype(np.uint16)


def train_race(
    cards: Sequence[Card], report: Callable[[float], None], *, longest: int = LONGEST
) -> dict[str, NDArray[np.uint16]]:
    """Return the arrays to store; report the share (0 to 1) that is done."""

    def report_change(change: float) -> None:
        report(min(1.0, log(change) / log(_TOLERANCE)))

    return pack(solve_race(cards, report_change, longest=longest))


# 2 ms of a computer player's move.
@lru_cache(maxsize=8)
def load_race(tables: Tables) -> Race:
    """Return the stored race.

    Raises:
        BrokenTables: It can't be used.
    """
    shapes = {"ahead": (LONGEST + 1, LONGEST + 1), "last": (_MOST_BEHIND * LONGEST + 1,)}
    arrays = tables.load("uint16", shapes)
    return Race(arrays["ahead"] / _WHOLE, arrays["last"] / _WHOLE)
