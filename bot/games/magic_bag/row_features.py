"""What rows promise, in numbers from which a network estimates the rest of the game."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import numpy as np

from bot.games.magic_bag.expectation import RollValues, Values
from bot.games.magic_bag.network import Numbers
from bot.games.magic_bag.pieces import ROW_SIZES, TAKEN_ROW, VALUES, Row, Suit
from bot.games.magic_bag.turn_values import count_exact

_SIZES: Final = max(ROW_SIZES)
_OF_A_ROW: Final = 4

ROW_FEATURES: Final = _SIZES * _OF_A_ROW
_CACHE_SIZE: Final = 4096
"""Cached rows."""


def describe_rows(boards: Sequence[Sequence[Row]]) -> Numbers:
    """Return a line of features for each of several sets of rows.

    For each size of rows: how many there are, and the sums of the coins expected from each in a turn, of the chances of
    matching it, and of its tiles' values.
    """
    return np.array([np.add.reduce([_describe_row(row) for row in rows]) for rows in boards])


# 0.6 ms for each new row.
@lru_cache(_CACHE_SIZE)
def _describe_row(row: Row) -> Numbers:
    """Return the features of a row in the columns of its size."""
    features = np.zeros((_OF_A_ROW, _SIZES), np.float32)
    if row != TAKEN_ROW:
        coins = count_exact(row) + 1.0
        values = sum(tile.value for tile in row) / max(VALUES)
        features[:, len(row) - 1] = 1, *_play_turn(np.stack((coins, np.minimum(coins, 1)), axis=-1)), values
    return features.ravel()


def _play_turn(worths: Values) -> Values:
    """Return the most that three rolls are expected to bring, by the last axis."""
    second = RollValues(RollValues(worths).best_values())
    means: Values = second.best_values().mean(axis=tuple(Suit))
    return means
