"""The exact expected values of a turn with best play, for any card.

Dice are counted by face, without their places: there are 3,003 different counts for zero to eight dice. Values are
arrays with a row for each of them, and perhaps a column for each of several problems that are solved side by side.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate, chain, combinations_with_replacement
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bot.games.fortune.facts import chance_of_skulls
from bot.games.fortune.pieces import DICE_COUNT, FACES, MAX_SKULLS, MIN_ROLLED_DICE, SIDES, Card, CardKind, Face, Faces
from bot.games.fortune.scoring import is_nine_of_a_kind, score_of

DiceCounts: TypeAlias = tuple[int, ...]
"""How many dice show each face, in the order of the faces."""

Values: TypeAlias = NDArray[np.float64]

_UNREACHABLE = float("-inf")

Points: TypeAlias = NDArray[np.int_]

_MAX_ITERATIONS = 30
_CACHE_SIZE = 100
"""Cached cards with a utility that depends on the scores, 40 kB each; within a turn it is always the same one."""


@dataclass(frozen=True, slots=True)
class CountsIndex:
    """All counts, fewest dice first, and which of them differ by one die."""

    position_of: dict[DiceCounts, int]
    """The position of each count."""
    offsets: tuple[int, ...]
    """The first position by number of dice, and the end."""
    one_more: tuple[NDArray[np.intp], ...]
    """By number of dice below eight: for each face and each count, the position with one die of that face added."""
    one_less: tuple[NDArray[np.intp], ...]
    """The same with a die removed, for faces other than skulls; the number of counts if there is no such die."""
    skulls: NDArray[np.intp]
    """The number of skulls of each count."""

    @property
    def full(self) -> tuple[DiceCounts, ...]:
        """The counts of all eight dice."""
        return tuple(self.position_of)[self.offsets[DICE_COUNT] :]


# Takes 15 ms.
@cache
def get_counts_index() -> CountsIndex:
    """Return the index, built on first use."""
    levels = [
        [tuple(map(dice.count, range(SIDES))) for dice in combinations_with_replacement(range(SIDES), count)]
        for count in range(DICE_COUNT + 1)
    ]
    number = {counts: at for at, counts in enumerate(chain(*levels))}
    more = [[[number[_add(counts, face, 1)] for counts in level] for face in FACES] for level in levels[:DICE_COUNT]]
    less = [
        [[number.get(_add(counts, face, -1), len(number)) for counts in level] for face in FACES[1:]]
        for level in levels
    ]
    offsets = tuple(accumulate(map(len, levels), initial=0))
    skulls = np.array([counts[0] for counts in number])
    return CountsIndex(number, offsets, tuple(map(np.array, more)), tuple(map(np.array, less)), skulls)


def _add(counts: DiceCounts, face: Face, dice: int) -> DiceCounts:
    return (*counts[:face], counts[face] + dice, *counts[face + 1 :])


def dice_counts_of(faces: Faces) -> DiceCounts:
    """Return the counts of dice."""
    return tuple(map(faces.count, FACES))


def faces_of(counts: DiceCounts) -> Faces:
    """Return dice with these counts."""
    return tuple([face for face in FACES for _ in range(counts[face])])


def average_over_rolls(whole: Values) -> Values:
    """Return the expected value of keeping each count and rolling the other dice, given the values of eight dice."""
    index = get_counts_index()
    first = index.offsets
    values = np.empty((first[-1], *whole.shape[1:]))
    values[first[DICE_COUNT] :] = whole
    for count in range(DICE_COUNT - 1, -1, -1):
        values[first[count] : first[count + 1]] = values[index.one_more[count]].sum(axis=0) / SIDES
    return values


def best_kept_values(values: Values, most: int) -> Values:
    """Return, for each count, the value of the best count to keep of it, at most `most` dice; skulls stay."""
    index = get_counts_index()
    best = np.full((len(values) + 1, *values.shape[1:]), _UNREACHABLE)
    allowed = slice(index.offsets[most + 1])
    best[allowed] = values[allowed]
    for count, fewer in enumerate(index.one_less):
        level = slice(index.offsets[count], index.offsets[count + 1])
        best[level] = np.maximum(best[level], best[fewer].max(axis=0))
    return best[:-1]


class Utility(Protocol):
    """What the points of a turn are worth; equal ones have equal hashes."""

    def __hash__(self) -> int: ...

    def evaluate(self, points: Points) -> Values:
        """Return the values of points, with a row for each, and perhaps columns."""

    def evaluate_nine(self, values: Values) -> Values:
        """Return the values of nine of a kind, from those of its points. Rule FO-8."""

    @property
    def tolerance(self) -> float:
        """The iteration stops once no value changes by more."""


@dataclass(frozen=True, slots=True)
class PointsUtility:
    """The utility of points: a slope, and a prize for more points than `line`."""

    slope: float = 1.0
    line: int = 0
    prize: float = 0.0
    nine_bonus: float = 0.0
    tolerance: float = 2.0

    def evaluate(self, points: Points) -> Values:
        """Return the values of points."""
        return np.asarray(self.slope * points + np.where(points > self.line, self.prize, 0.0))

    def evaluate_nine(self, values: Values) -> Values:
        """Return the values with the bonus."""
        return values + self.nine_bonus


class _CardTable(NamedTuple):
    """What each count of dice is worth with a card, and how likely it is to bust."""

    stop_points: Points
    """The points of eight dice without further rolls."""
    is_bust: NDArray[np.bool_]
    """Whether eight dice have too many skulls."""
    is_nine: NDArray[np.bool_]
    chest_points: Points
    """The points of fewer dice in the Treasure Chest. Rule FO-C1."""
    bust_chances: Values
    """The probability of too many skulls if the other dice are rolled."""


# 15 ms for each card.
@lru_cache(maxsize=64)
def _card_table(card: Card) -> _CardTable:
    index = get_counts_index()
    skulls = index.skulls + card.skulls
    whole = skulls[index.offsets[DICE_COUNT] :]
    is_bust = whole > MAX_SKULLS
    points = [
        -card.bonus if bust else score_of(card, faces_of(counts)).total
        for counts, bust in zip(index.full, is_bust, strict=True)
    ]
    fewer = list(index.position_of)[: index.offsets[DICE_COUNT]]
    chests = ((face for face in faces_of(counts) if face is not Face.SKULL) for counts in fewer)
    busts = [chance_of_skulls(DICE_COUNT - sum(counts), MAX_SKULLS + 1 - counts[0] - card.skulls) for counts in fewer]
    return _CardTable(
        stop_points=np.array(points),
        is_bust=is_bust,
        is_nine=np.array([is_nine_of_a_kind(card, faces_of(counts)) for counts in index.full]) & ~is_bust,
        chest_points=np.array([score_of(card, chest).total for chest in chests]),
        bust_chances=np.array(busts),
    )


class _RevivalTable(NamedTuple):
    """The counts of eight dice that the Sorceress can help, and the counts that are left without one skull."""

    rows: NDArray[np.intp]
    left: NDArray[np.intp]


# 1 ms.
@cache
def _revival_table() -> _RevivalTable:
    index = get_counts_index()
    helped = [
        (row, index.position_of[_add(counts, Face.SKULL, -1)])
        for row, counts in enumerate(index.full)
        if 0 < counts[Face.SKULL] <= MAX_SKULLS + 1
    ]
    rows, left = zip(*helped, strict=True)
    return _RevivalTable(np.array(rows), np.array(left))


class TurnValues:
    """The expected utilities of dice in a turn with a card; `spell` means that a Sorceress can still help."""

    def __init__(self, card: Card, utility: Utility, *, spell: bool) -> None:
        self._card, self._utility, self._table = card, utility, _card_table(card)
        self._revive_values: Values | None = get_turn_values(card, utility, spell=False).roll_values if spell else None
        self._stop_values = self._find_stop_values()
        self.roll_values: Values = self._iterate_values()
        """The value of keeping each count and rolling the other dice."""

    def value_of_stopping(self, counts: DiceCounts) -> float:
        """Return the value of stopping with eight dice."""
        index = get_counts_index()
        return float(self._stop_values[index.position_of[counts] - index.offsets[DICE_COUNT]])

    def value_of_rolling(self, kept: DiceCounts) -> float:
        """Return the value of keeping some dice and rolling the others."""
        return float(self.roll_values[get_counts_index().position_of[kept]])

    def value_of_reviving(self, kept: DiceCounts) -> float:
        """Return the value of rolling if one of the rolled dice is a skull that the Sorceress frees. Rule FO-C3."""
        values = self.roll_values if self._revive_values is None else self._revive_values
        return float(values[get_counts_index().position_of[kept]])

    def value_of_points(self, points: int) -> float:
        """Return the value of a turn that ends with points."""
        return float(self._utility.evaluate(np.array([points]))[0])

    @property
    def _has_chest(self) -> bool:
        return self._card.kind is CardKind.TREASURE_CHEST

    def _find_stop_values(self) -> Values:
        """Return the values of eight dice without further rolls."""
        table = self._table
        values = self._utility.evaluate(table.stop_points)
        values[table.is_nine] = self._utility.evaluate_nine(values[table.is_nine])
        if self._has_chest:
            # The chest depends on the dice that are kept, so `_average` adds its value.
            values[table.is_bust] = 0.0
        return values

    def _iterate_values(self) -> Values:
        """Iterate over further rolls until the values converge; a Storm has none."""
        revived = best_kept_values(self._revive_values, DICE_COUNT - 1) if self._revive_values is not None else None
        whole, rolled = self._stop_values, self._average(self._stop_values)
        for _ in range(0 if self._card.kind is CardKind.STORM else _MAX_ITERATIONS):
            better = self._improve(rolled, revived)
            change = np.max(better - whole)
            whole, rolled = better, self._average(better)
            if change < self._utility.tolerance:
                break
        return rolled

    def _average(self, whole: Values) -> Values:
        values = average_over_rolls(whole)
        if self._has_chest:
            saved = self._utility.evaluate(self._table.chest_points)
            values[: len(saved)] += (self._table.bust_chances * saved.T).T
        return values

    def _improve(self, rolled: Values, revived: Values | None) -> Values:
        """Return the value of eight dice with the choice between stopping and rolling."""
        kept = best_kept_values(rolled, DICE_COUNT - MIN_ROLLED_DICE)[get_counts_index().offsets[DICE_COUNT] :]
        may_roll, better = ~self._table.is_bust, self._stop_values.copy()
        better[may_roll] = np.maximum(better[may_roll], kept[may_roll])
        if revived is not None:
            rows, left = _revival_table()
            better[rows] = np.maximum(better[rows], revived[left])
        return better


def get_turn_values(card: Card, utility: Utility, *, spell: bool) -> TurnValues:
    """Return the cached turn values of a card; those that do not depend on the scores have a cache of their own."""
    is_constant = isinstance(utility, PointsUtility) and not utility.prize
    return (_cached_constant if is_constant else _cached)(card, utility, spell=spell)


# Saves 2 ms of a computer player's move or a click, but for the first of a turn.
_cached = lru_cache(maxsize=_CACHE_SIZE)(TurnValues)

# Saves 2 ms of a computer player's move; there are 13 cards, with and without the option.
_cached_constant = lru_cache(maxsize=128)(TurnValues)
