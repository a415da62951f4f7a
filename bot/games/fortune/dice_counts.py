"""Dice without their places: counts of faces, and expected values of rolling more dice.

There are 3,003 different counts for zero to eight dice, and values are lists with a number for each of them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, combinations_with_replacement
from operator import itemgetter
from typing import TypeAlias

from bot.games.fortune.pieces import DICE_COUNT, FACES, Face, Faces

DiceCounts: TypeAlias = tuple[int, ...]
"""The number of dice that show each face, in the order of the faces."""

Values: TypeAlias = list[float]

ValueGetters: TypeAlias = tuple[Callable[[Values], Iterable[float]], ...]
"""Each gets the values of many counts in one call, because there are thousands of them."""

_SIDES = len(FACES)
_UNREACHABLE = float("-inf")


@dataclass(frozen=True, slots=True)
class CountsIndex:
    """All counts, fewest dice first, and which of them differ by one die."""

    position_of: dict[DiceCounts, int]
    """The position of each count."""
    offsets: tuple[int, ...]
    """The first position by number of dice, and the end."""
    one_more: tuple[ValueGetters, ...]
    """By number of dice and face: for each count, the count with one die of that face added."""
    one_less: tuple[ValueGetters, ...]
    """The same with a die removed, for faces other than skulls. Positions are counted from 1; 0 means no such die."""

    @property
    def full(self) -> tuple[DiceCounts, ...]:
        """The counts of all eight dice."""
        return tuple(self.position_of)[self.offsets[DICE_COUNT] :]


# Takes 10 ms.
@cache
def get_counts_index() -> CountsIndex:
    """Return the index, built on first use."""
    levels = [
        [_count_faces(dice) for dice in combinations_with_replacement(range(_SIDES), count)]
        for count in range(DICE_COUNT + 1)
    ]
    number = {counts: at for at, counts in enumerate(chain(*levels))}
    more = [
        tuple(_make_getter(number[_with_die(counts, face)] for counts in level) for face in FACES)
        for level in levels[:DICE_COUNT]
    ]
    less = [
        tuple(_make_getter(number.get(without_die(counts, face), -1) + 1 for counts in level) for face in FACES[1:])
        for level in levels
    ]
    return CountsIndex(number, tuple(accumulate(map(len, levels), initial=0)), tuple(more), tuple(less))


def _make_getter(places: Iterable[int]) -> Callable[[Values], Iterable[float]]:
    first, *others = places
    # With a single index, an item getter returns the value instead of a tuple.
    return itemgetter(first, *others) if others else itemgetter(slice(first, first + 1))


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
    first, values = get_counts_index().offsets, [0.0] * get_counts_index().offsets[DICE_COUNT] + whole
    for count in range(DICE_COUNT - 1, -1, -1):
        landed = zip(*(picked(values) for picked in get_counts_index().one_more[count]), strict=True)
        values[first[count] : first[count + 1]] = [total / _SIDES for total in map(sum, landed)]
    return values


def best_kept_values(values: Values, most: int) -> Values:
    """Return, for each count, the value of the best count to keep of it, at most `most` dice; skulls stay."""
    first, best = get_counts_index().offsets, [_UNREACHABLE]
    for count, level in enumerate(get_counts_index().one_less):
        size = first[count + 1] - first[count]
        own = values[first[count] : first[count + 1]] if count <= most else [_UNREACHABLE] * size
        best += map(max, own, *[picked(best) for picked in level])
    return best[1:]
