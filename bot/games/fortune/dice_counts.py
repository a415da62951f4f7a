"""Dice without their places: counts of faces, and expected values of rolling more dice.

There are 3,003 different counts for zero to eight dice. Values are arrays with a row for each of them, and perhaps a
column for each of several problems that are solved side by side.
"""

from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, combinations_with_replacement
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bot.games.fortune.pieces import DICE_COUNT, FACES, Face, Faces

DiceCounts: TypeAlias = tuple[int, ...]
"""The number of dice that show each face, in the order of the faces."""

Values: TypeAlias = NDArray[np.float64]

_SIDES = len(FACES)
_UNREACHABLE = float("-inf")


@dataclass(frozen=True, slots=True)
class CountsIndex:
    """All counts, fewest dice first, and which of them differ by one die."""

    position_of: dict[DiceCounts, int]
    """The position of each count."""
    offsets: tuple[int, ...]
    """The first position by number of dice, and the end."""
    one_more: NDArray[np.intp]
    """For each count below eight dice and each face, the position with one die of that face added."""
    one_less: NDArray[np.intp]
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
        [_count_faces(dice) for dice in combinations_with_replacement(range(_SIDES), count)]
        for count in range(DICE_COUNT + 1)
    ]
    number = {counts: at for at, counts in enumerate(chain(*levels))}
    more = [[number[_with_die(counts, face)] for face in FACES] for counts in chain(*levels[:DICE_COUNT])]
    less = [[number.get(without_die(counts, face), len(number)) for face in FACES[1:]] for counts in number]
    offsets = tuple(accumulate(map(len, levels), initial=0))
    return CountsIndex(number, offsets, np.array(more), np.array(less), np.array([counts[0] for counts in number]))


def _count_faces(dice: tuple[int, ...]) -> DiceCounts:
    return tuple(map(dice.count, range(_SIDES)))


def _with_die(counts: DiceCounts, face: Face) -> DiceCounts:
    return (*counts[:face], counts[face] + 1, *counts[face + 1 :])


def without_die(counts: DiceCounts, face: Face) -> DiceCounts:
    """Return the counts with one die removed."""
    return (*counts[:face], counts[face] - 1, *counts[face + 1 :])


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
        after = index.one_more[first[count] : first[count + 1]]
        total = values[after[:, 0]]
        for face in FACES[1:]:
            total += values[after[:, face]]
        values[first[count] : first[count + 1]] = total / _SIDES
    return values


def best_kept_values(values: Values, most: int) -> Values:
    """Return, for each count, the value of the best count to keep of it, at most `most` dice; skulls stay."""
    index = get_counts_index()
    best = np.full((len(values) + 1, *values.shape[1:]), _UNREACHABLE)
    for count in range(DICE_COUNT + 1):
        level = slice(index.offsets[count], index.offsets[count + 1])
        if count <= most:
            best[level] = values[level]
        for column in index.one_less[level].T:
            best[level] = np.maximum(best[level], best[column])
    return best[:-1]
