"""Dice without their places: the hands that stay while other dice are rolled, and what rolling does to them.

A hand is the number of dice that show each face. There are 3,003 hands of none to eight dice, and values are lists with
a number for each of them.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, chain, combinations_with_replacement
from operator import itemgetter
from typing import TypeAlias

from bot.games.fortune.pieces import DICE_COUNT, FACES, Face, Faces

DiceCounts: TypeAlias = tuple[int, ...]
"""How many dice show each face, in the order of the faces."""

Values: TypeAlias = list[float]

ValueGetters: TypeAlias = tuple[Callable[[Values], Iterable[float]], ...]
"""Each picks out of values those of the hands that somewhere lead to; picked at once, for it is done thousandfold."""

_SIDES = len(FACES)
_UNREACHABLE = float("-inf")


@dataclass(frozen=True, slots=True)
class CountsIndex:
    """All hands, few dice first, and which of them differ by a die."""

    position_of: dict[DiceCounts, int]
    """Where each hand stands."""
    offsets: tuple[int, ...]
    """Where the hands of so many dice begin; after the last number they end."""
    one_more: tuple[ValueGetters, ...]
    """By the number of dice, and by the face of one die more, where that leads from each hand."""
    one_less: tuple[ValueGetters, ...]
    """The same for one die less, which is no skull; places are counted from 1, and 0 is where there is no such die."""

    @property
    def full(self) -> tuple[DiceCounts, ...]:
        """The hands of all eight dice."""
        return tuple(self.position_of)[self.offsets[DICE_COUNT] :]


@cache
def get_counts_index() -> CountsIndex:
    """Return all hands; they are put together when they are first needed."""
    levels = [
        [_count_faces(dice) for dice in combinations_with_replacement(range(_SIDES), count)]
        for count in range(DICE_COUNT + 1)
    ]
    number = {hand: at for at, hand in enumerate(chain(*levels))}
    more = [
        tuple(_make_getter(number[_with_die(hand, face)] for hand in level) for face in FACES)
        for level in levels[:DICE_COUNT]
    ]
    less = [
        tuple(_make_getter(number.get(without_die(hand, face), -1) + 1 for hand in level) for face in FACES[1:])
        for level in levels
    ]
    return CountsIndex(number, tuple(accumulate(map(len, levels), initial=0)), tuple(more), tuple(less))


def _make_getter(places: Iterable[int]) -> Callable[[Values], Iterable[float]]:
    first, *others = places
    # Asked for one value alone, an item getter returns it bare.
    return itemgetter(first, *others) if others else itemgetter(slice(first, first + 1))


def _count_faces(dice: tuple[int, ...]) -> DiceCounts:
    return tuple(map(dice.count, range(_SIDES)))


def _with_die(hand: DiceCounts, face: Face) -> DiceCounts:
    return (*hand[:face], hand[face] + 1, *hand[face + 1 :])


def without_die(hand: DiceCounts, face: Face) -> DiceCounts:
    """Return a hand with one die less."""
    return (*hand[:face], hand[face] - 1, *hand[face + 1 :])


def dice_counts_of(faces: Faces) -> DiceCounts:
    """Return the hand that dice make."""
    return tuple(map(faces.count, FACES))


def faces_of(hand: DiceCounts) -> Faces:
    """Return dice that make a hand."""
    return tuple([face for face in FACES for _ in range(hand[face])])


def average_over_rolls(whole: Values) -> Values:
    """Return what every hand is worth if the other dice are rolled, given what eight dice are worth."""
    first, values = get_counts_index().offsets, [0.0] * get_counts_index().offsets[DICE_COUNT] + whole
    for count in range(DICE_COUNT - 1, -1, -1):
        landed = zip(*(picked(values) for picked in get_counts_index().one_more[count]), strict=True)
        values[first[count] : first[count + 1]] = [total / _SIDES for total in map(sum, landed)]
    return values


def best_kept_values(values: Values, most: int) -> Values:
    """Return the value of the best hand that can be kept of each, of so many dice at most; its skulls stay."""
    first, best = get_counts_index().offsets, [_UNREACHABLE]
    for count, level in enumerate(get_counts_index().one_less):
        size = first[count + 1] - first[count]
        own = values[first[count] : first[count + 1]] if count <= most else [_UNREACHABLE] * size
        best += map(max, own, *[picked(best) for picked in level])
    return best[1:]
