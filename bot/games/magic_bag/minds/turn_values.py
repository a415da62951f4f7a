"""Exact expected values of re-rolling four dice."""

from collections.abc import Collection, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import product
from math import fsum
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from bot.games.magic_bag.pieces import (
    ROW_SIZES,
    TAKEN_ROW,
    VALUES,
    Claim,
    Discard,
    Faces,
    Layout,
    Move,
    Piece,
    ReferenceSheet,
    Roll,
    Row,
    Stop,
    Suit,
    needed_values,
)
from bot.games.magic_bag.rules import remove_pieces
from bot.games.magic_bag.scoring import dice_match, find_exact_tiles, tile_bonus, treasure_points

Values: TypeAlias = NDArray[np.float64]
"""A number for each outcome of the four dice; the axes are the suits."""

_ROLLED = len(VALUES)
"""The place after a die's faces, which holds the mean over all of them."""

_EXPECTED_COINS_BY_ROW_SIZE = (0.0, 1.0, 1.2, 1.3, 0.7)
"""Coins expected from a row by its size, less those discarded until it is taken. Found by simulation."""

_BONUS_SHARE = 0.8
"""The share of the tiles' values that is left when the bag runs out later. Found by simulation."""

_SHAPE = (len(VALUES),) * len(Suit)
_FACES = np.indices(_SHAPE)
"""The face of each die in each outcome."""

_NO_MATCH = float("-inf")
MAX_DRAWS = 1 + max(ROW_SIZES)
_CACHE_SIZE = 256
"""Cached turns; within a turn the same one is evaluated again."""


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


class TurnValues:
    """The expected final points after each move of a turn; what is not asked for is not calculated."""

    def __init__(self, layout: Layout) -> None:
        self._layout, self._points = layout, float(current_points(layout))
        self._row_worths = _list_row_worths(layout)
        self._discards: dict[Piece | None, Mapping[Piece, float]] = {}

    def value_of(self, move: Move, faces: Faces, rolls_left: int) -> float:
        """Return the expected final points after a move."""
        match move:
            case Roll(suits):
                return self.rolls[rolls_left - 1].expected_value(suits, faces)
            case Claim(number):
                return self._row_worths[number - 1][len(find_exact_tiles(self._layout.rows[number - 1], faces))]
            case Discard(coin, tile):
                if tile not in self._discards:
                    self._discards[tile] = _evaluate_discards(self._layout, self._layout.collected, tile)
                return self._discards[tile][coin]
            case Stop():
                return self._failed
            case _:
                return self._points

    @cached_property
    def rolls(self) -> tuple[RollValues, RollValues]:
        """The values of rolling dice, by the number of rolls left after it."""
        return evaluate_rolls(self._layout.rows, list(map(np.array, self._row_worths)), self._failed)

    @cached_property
    def _failed(self) -> float:
        """The value of a failed roll, which may be survived once by discarding a coin."""
        if not self._layout.collected:
            return self._points
        coin = _find_cheapest_coin(self._layout)
        return max(self._points, _evaluate_discards(self._layout, (coin,), None)[coin])


# 0.5 ms of a computer player's move.
@lru_cache(maxsize=_CACHE_SIZE)
def get_turn_values(layout: Layout) -> TurnValues:
    """Return the values of a turn."""
    return TurnValues(layout)


def _find_cheapest_coin(layout: Layout) -> Piece:
    """Return the coin that costs the fewest points now, and of equals the fewest in the end."""

    def cost(coin: Piece) -> tuple[int, int, Piece]:
        left = remove_pieces(layout, coin, None)
        return -current_points(left), -_max_points(left), coin

    return min(layout.collected, key=cost)


def _evaluate_discards(layout: Layout, coins: Sequence[Piece], tile: Piece | None) -> Mapping[Piece, float]:
    """Return the values of the turns after discarding each of some coins, as if a failed roll ended the game."""
    after = [remove_pieces(layout, coin, tile) for coin in coins]
    worths = [np.array(worths).T for worths in zip(*map(_list_row_worths, after), strict=True)]
    _last, second = evaluate_rolls(after[0].rows, worths, np.array(list(map(current_points, after))))
    values = second.best_values().mean(axis=tuple(Suit))
    return dict(zip(coins, values.tolist(), strict=True))


def evaluate_rolls(
    rows: Sequence[Row], worths: Sequence[Values], failed: Values | float
) -> tuple[RollValues, RollValues]:
    """Return the values of rolling dice, by the number of rolls left after it.

    Several positions with the same rows can be evaluated at once: another axis, the last one, counts them.

    Args:
        rows: All rows.
        worths: What taking each row is worth, by the number of its tiles that equal a die.
        failed: What a failed roll is worth.
    """
    best = np.max(
        [
            np.concatenate((worth, np.full_like(worth[:1], _NO_MATCH, dtype=float)))[count_exact(row)]
            for row, worth in zip(rows, worths, strict=True)
            if row != TAKEN_ROW
        ],
        axis=0,
    )
    last = RollValues(np.where(best == _NO_MATCH, failed, best))
    return last, RollValues(last.best_values())


# 80 us for each new turn.
@lru_cache(maxsize=_CACHE_SIZE)
def count_exact(row: Row) -> NDArray[np.int_]:
    """Return for each outcome the number of a row's tiles that equal a die, or -1 if it does not match the row."""
    exact = np.sum([_FACES[suit] == value for suit, value in row], axis=0)
    return np.where(_matches(tuple(sorted(needed_values(row)))), exact, -1)


def expect_coins(layout: Layout, dice: Collection[Suit], faces: Faces) -> tuple[float, float]:
    """Return the chance (0 to 1) that a row fits after rolling these dice, and the coins it brings on average then.

    Of several rows that fit, the one that brings the most counts. Rules MB-4, MB-6 and MB-7.
    """
    landed = _count_coins(layout.rows, len(layout.bag))[
        tuple(slice(None) if suit in dice else faces[suit] for suit in Suit)
    ]
    fitting = landed[landed > 0]
    return fitting.size / landed.size, float(fitting.mean()) if fitting.size else 0.0


# 0.1 ms for each turn.
@lru_cache(maxsize=_CACHE_SIZE)
def _count_coins(rows: tuple[Row, ...], bag: int) -> NDArray[np.int_]:
    """Return for each outcome the coins of the row that brings the most; 0 if none fits."""
    exact: NDArray[np.int_] = np.max([count_exact(row) for row in rows if row != TAKEN_ROW], axis=0)
    return np.minimum(exact + 1, bag, dtype=np.int_)


# 0.2 ms for each new row.
@lru_cache(maxsize=256)
def _matches(needs: tuple[int, ...]) -> NDArray[np.bool_]:
    """Return for each outcome whether it matches a row with these values."""
    return np.array([dice_match(faces, needs) for faces in product(VALUES, repeat=len(Suit))]).reshape(_SHAPE)


def _list_row_worths(layout: Layout) -> list[tuple[float, ...]]:
    """Return the expected final score after taking each row, by the number of its tiles that equal a die."""
    rows, most = layout.rows, _max_points(layout)
    points = _points_after_draws(layout.sheet, layout.collected, layout.bag)
    return [
        _worths_after((*rows[:at], *rows[at + 1 :]), len(layout.bag), points[: len(row) + 2], most)
        for at, row in enumerate(rows)
    ]


def _worths_after(rows: Sequence[Row], coins: int, points: Sequence[float], most: int) -> tuple[float, ...]:
    """Return the expected final score with these rows left, by the number of draws from one on.

    Args:
        rows: The rows.
        coins: The coins before the draws.
        points: The points after so many draws.
        most: The points for all coins.
    """
    coming = fsum(_EXPECTED_COINS_BY_ROW_SIZE[len(row)] for row in rows)  # `sum` rounds differently in Python 3.12
    bonus = tile_bonus(rows)

    def worth(left: int, collected: float) -> float:
        if left <= 0:
            return most + bonus
        if coming < left:
            return collected + (most - collected) * coming / left
        return most + _BONUS_SHARE * bonus * (coming - left) / coming

    return tuple([worth(coins - draws, collected) for draws, collected in enumerate(points) if draws])


def current_points(layout: Layout) -> int:
    """Return the points if the game ended now."""
    return treasure_points(layout.sheet, layout.collected)


def _max_points(layout: Layout) -> int:
    """Return the points for the coins and the whole bag."""
    return treasure_points(layout.sheet, layout.collected + layout.bag)


# 30 us of a computer player's move, for each discard of a coin, whatever the tile.
@lru_cache(maxsize=_CACHE_SIZE)
def _points_after_draws(sheet: ReferenceSheet, collected: tuple[Piece, ...], bag: tuple[Piece, ...]) -> list[float]:
    """Return the expected points after 0 to 5 draws: exact for none, one and all, a parabola in between."""
    count, points, most = len(bag), treasure_points(sheet, collected), treasure_points(sheet, collected + bag)
    first = sum(treasure_points(sheet, (*collected, coin)) for coin in bag) / count - points
    if count == 1:
        return [points + first * draws for draws in range(MAX_DRAWS + 1)]
    bend = (most - points - count * first) / (count * (count - 1))
    return [points + first * draws + bend * draws * (draws - 1) for draws in range(MAX_DRAWS + 1)]
