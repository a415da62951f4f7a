"""Exact expectations over four dice that may be rolled again.

Values are lists of 6 to the power of n numbers, one for every way n dice can show, the last die changing fastest.
"""

from array import array
from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise
from math import fsum
from typing import TypeAlias

from bot.games.magic_bag.pieces import VALUES, Faces, Suit

Values: TypeAlias = Sequence[float]

DiceChoice: TypeAlias = tuple[Suit, ...]
"""Some of the dice, in the order of the suits."""

_SIDES = len(VALUES)
_DICE_CHOICES: tuple[DiceChoice, ...] = tuple(dice for count in range(1, 5) for dice in combinations(Suit, count))
"""Every choice of dice to roll, few dice first."""


class RollValues:
    """What rolling some of the dice leads to on average, given what a roll that shows each faces is worth."""

    def __init__(self, worth: Values) -> None:
        means: dict[DiceChoice, Values] = {(): worth}
        for dice in _DICE_CHOICES:
            # All dice after the last of these are still there, so neighbours along it are that far apart.
            means[dice] = _average(means[dice[:-1]], _SIDES ** (len(Suit) - 1 - dice[-1]))
        # Hundreds of these are kept: an array takes a quarter of a list's memory.
        self._means: dict[DiceChoice, Values] = {dice: array("d", values) for dice, values in means.items()}

    def expected_value(self, dice: DiceChoice, faces: Faces) -> float:
        """Return what rolling these dice is worth while the others show what they do."""
        at = 0
        for suit in Suit:
            if suit not in dice:
                at = at * _SIDES + faces[suit]
        return self._means[dice][at]

    @property
    def all_dice_value(self) -> float:
        """What rolling all four dice is worth."""
        return self._means[tuple(Suit)][0]

    def best_values(self) -> Values:
        """Return what each faces are worth if any dice, or none, may be rolled once more."""
        best = dict(self._means)
        for dice in reversed(((), *_DICE_CHOICES)):
            wider = [_repeat(best[more], stride) for more, stride in _with_one_more(dice)]
            best[dice] = list(map(max, best[dice], *wider)) if wider else best[dice]
        return best[()]


@cache
def _with_one_more(dice: DiceChoice) -> tuple[tuple[DiceChoice, int], ...]:
    """Return these dice with each other one added, and how far apart its neighbours are among the rest."""
    rest = tuple(suit for suit in Suit if suit not in dice)
    return tuple((tuple(sorted((*dice, suit))), _SIDES ** (len(rest) - 1 - at)) for at, suit in enumerate(rest))


def _average(values: Values, stride: int) -> Values:
    """Average over one die, whose neighbouring faces are this far apart."""
    means: list[float] = []
    block = stride * _SIDES
    for first in range(0, len(values), block):
        # `sum` rounds otherwise from Python 3.12 on, and equals would be told apart in another way.
        cuts = pairwise(range(first, first + block + 1, stride))
        means += [fsum(six) / _SIDES for six in zip(*(values[start:end] for start, end in cuts), strict=True)]
    return means


def _repeat(values: Values, stride: int) -> Values:
    """Undo the shape of an average: repeat each value for every face of one die."""
    spread: list[float] = []
    for first in range(0, len(values), stride):
        spread += list(values[first : first + stride]) * _SIDES
    return spread
