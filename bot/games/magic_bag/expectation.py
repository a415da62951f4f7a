"""Exact expected values of re-rolling four dice.

Values are sequences of 6^n numbers, one for each outcome of n dice, the last die varying fastest.
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
"""Every choice of dice to roll, fewest first."""


class RollValues:
    """The expected value of rolling any of the dice, given the value of each outcome of all four."""

    def __init__(self, worth: Values) -> None:
        means: dict[DiceChoice, Values] = {(): worth}
        for dice in _DICE_CHOICES:
            # The dice after this one are not averaged yet, so its neighbouring faces are this far apart.
            means[dice] = _average(means[dice[:-1]], _SIDES ** (len(Suit) - 1 - dice[-1]))
        # Hundreds of these are cached, and an array takes a quarter of a list's memory.
        self._means: dict[DiceChoice, Values] = {dice: array("d", values) for dice, values in means.items()}

    def expected_value(self, dice: DiceChoice, faces: Faces) -> float:
        """Return the expected value of rolling these dice and keeping the others."""
        at = 0
        for suit in Suit:
            if suit not in dice:
                at = at * _SIDES + faces[suit]
        return self._means[dice][at]

    @property
    def all_dice_value(self) -> float:
        """The expected value of rolling all four dice."""
        return self._means[tuple(Suit)][0]

    def best_values(self) -> Values:
        """Return the value of each outcome if any dice may be rolled once more."""
        best = dict(self._means)
        for dice in reversed(((), *_DICE_CHOICES)):
            wider = [_repeat(best[more], stride) for more, stride in _with_one_more(dice)]
            best[dice] = list(map(max, best[dice], *wider)) if wider else best[dice]
        return best[()]


@cache
def _with_one_more(dice: DiceChoice) -> tuple[tuple[DiceChoice, int], ...]:
    """Return each choice with one die more, and how far apart that die's faces are among the other dice."""
    rest = tuple(suit for suit in Suit if suit not in dice)
    return tuple((tuple(sorted((*dice, suit))), _SIDES ** (len(rest) - 1 - at)) for at, suit in enumerate(rest))


def _average(values: Values, stride: int) -> Values:
    """Average over one die, whose neighbouring faces are `stride` apart."""
    means: list[float] = []
    block = stride * _SIDES
    for first in range(0, len(values), block):
        # `sum` rounds differently from Python 3.12 on, which would break ties differently.
        cuts = pairwise(range(first, first + block + 1, stride))
        means += [fsum(six) / _SIDES for six in zip(*(values[start:end] for start, end in cuts), strict=True)]
    return means


def _repeat(values: Values, stride: int) -> Values:
    """Repeat each value for every face of one die, the reverse shape of `_average`."""
    spread: list[float] = []
    for first in range(0, len(values), stride):
        spread += list(values[first : first + stride]) * _SIDES
    return spread
