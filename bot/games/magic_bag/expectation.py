"""Exact expected values of re-rolling four dice.

Values are sequences of 6^n numbers, one for each outcome of n dice, the last die varying fastest.
"""

from array import array
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from math import fsum
from operator import itemgetter
from typing import TypeAlias

from bot.games.magic_bag.pieces import VALUES, Faces, Suit

Values: TypeAlias = Sequence[float]

DiceChoice: TypeAlias = tuple[Suit, ...]
"""Some of the dice, in the order of the suits."""

_Picker: TypeAlias = Callable[[Values], Sequence[float]]
"""Picks some of the values, by their places."""

_SIDES = len(VALUES)
_DICE_CHOICES: tuple[DiceChoice, ...] = tuple(dice for count in range(1, 5) for dice in combinations(Suit, count))
"""Every choice of dice to roll, fewest first."""


class RollValues:
    """The expected value of rolling any of the dice, given the value of each outcome of all four."""

    def __init__(self, worth: Values) -> None:
        # Hundreds of these are cached, and an array takes a quarter of a list's memory.
        self._means: dict[DiceChoice, Values] = {(): array("d", worth)}

    def _mean(self, dice: DiceChoice) -> Values:
        """Return the values averaged over some dice, which is done once and only for dice that matter."""
        if dice not in self._means:
            # The dice after the last one are not averaged yet, so its neighbouring faces are this far apart.
            averaged = _average(self._mean(dice[:-1]), _SIDES ** (len(Suit) - 1 - dice[-1]))
            self._means[dice] = array("d", averaged)
        return self._means[dice]

    def expected_value(self, dice: DiceChoice, faces: Faces) -> float:
        """Return the expected value of rolling these dice and keeping the others."""
        at = 0
        for suit in Suit:
            if suit not in dice:
                at = at * _SIDES + faces[suit]
        return self._mean(dice)[at]

    @property
    def all_dice_value(self) -> float:
        """The expected value of rolling all four dice."""
        return self._mean(tuple(Suit))[0]

    def best_values(self) -> Values:
        """Return the value of each outcome if any dice may be rolled once more."""
        best = {dice: self._mean(dice) for dice in ((), *_DICE_CHOICES)}
        for dice in reversed(((), *_DICE_CHOICES)):
            wider = [_repeat(best[more], stride) for more, stride in _with_one_more(dice)]
            best[dice] = list(map(max, best[dice], *wider)) if wider else best[dice]
        return best[()]


@cache
def _with_one_more(dice: DiceChoice) -> tuple[tuple[DiceChoice, int], ...]:
    """Return each choice with one die more, and how far apart that die's faces are among the other dice."""
    rest = tuple(suit for suit in Suit if suit not in dice)
    return tuple((tuple(sorted((*dice, suit))), _SIDES ** (len(rest) - 1 - at)) for at, suit in enumerate(rest))


def _average(values: Values, stride: int) -> list[float]:
    """Average over one die, whose neighbouring faces are `stride` apart."""
    if len(values) == _SIDES:
        return [fsum(values) / _SIDES]
    by_face = [pick(values) for pick in _face_pickers(len(values), stride)]
    # `sum` rounds differently from Python 3.12 on, which would break ties differently.
    return [total / _SIDES for total in map(fsum, zip(*by_face, strict=True))]


@cache
def _face_pickers(size: int, stride: int) -> tuple[_Picker, ...]:
    """Return for each face of a die what picks its values; one call is faster than a slice for each block."""
    blocks = range(0, size, stride * _SIDES)
    return tuple(
        itemgetter(*(first + face * stride + at for first in blocks for at in range(stride))) for face in range(_SIDES)
    )


def _repeat(values: Values, stride: int) -> Sequence[float]:
    """Repeat each value for every face of one die, the reverse shape of `_average`."""
    return _repeater(len(values), stride)(values)


@cache
def _repeater(size: int, stride: int) -> _Picker:
    blocks = range(0, size, stride)
    return itemgetter(*(first + at for first in blocks for _ in range(_SIDES) for at in range(stride)))
