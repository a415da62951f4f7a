"""Exact expected values of re-rolling four dice."""

from collections.abc import Collection
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bot.games.magic_bag.pieces import VALUES, Faces, Suit

Values: TypeAlias = NDArray[np.float64]
"""A number for each outcome of the four dice; the axes are the suits."""

_ROLLED = len(VALUES)
"""The place after a die's faces, which holds the mean over all of them."""


class RollValues:
    """The expected value of rolling any of the dice, given the value of each outcome of all four."""

    def __init__(self, worth: Values) -> None:
        for suit in Suit:
            worth = np.concatenate((worth, worth.mean(axis=suit, keepdims=True)), axis=suit)
        self._means = worth

    def expected_value(self, dice: Collection[Suit], faces: Faces) -> float:
        """Return the expected value of rolling these dice and keeping the others."""
        return float(self._means[tuple(_ROLLED if suit in dice else faces[suit] for suit in Suit)])

    @property
    def all_dice_value(self) -> float:
        """The expected value of rolling all four dice."""
        return float(self._means[-1, -1, -1, -1])

    def best_values(self) -> Values:
        """Return the value of each outcome if any dice may be rolled once more."""
        best = self._means
        for suit in Suit:
            kept, rolled = np.split(best, [_ROLLED], axis=suit)
            best = np.maximum(kept, rolled)
        return best
