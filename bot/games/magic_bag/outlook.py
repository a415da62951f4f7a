"""What the moves of a turn are worth if a network estimates the rest of the game.

The turn is exact, over all outcomes of the dice. The network is asked about the positions after it: the rows and coins
that are left, and how many coins are still to be drawn, whichever they turn out to be.
"""

from functools import cache, lru_cache
from typing import Final

import numpy as np

from bot.games.magic_bag.coin_features import COIN_FEATURES, Holding, describe_coins, encode_coins
from bot.games.magic_bag.expectation import Values
from bot.games.magic_bag.moves import Claim, Discard, Move, Roll, Stop
from bot.games.magic_bag.network import Network, Numbers, list_shapes
from bot.games.magic_bag.pieces import TAKEN_ROW, VALUES, Faces, Layout, Piece, Row, Suit
from bot.games.magic_bag.row_features import ROW_FEATURES, describe_rows
from bot.games.magic_bag.scoring import find_exact_tiles, tile_bonus
from bot.games.magic_bag.strategy import MAX_DRAWS, current_points, evaluate_rolls
from bot.rules.content import BrokenTables, Tables

POINTS_PER_UNIT: Final = 100
"""Points in a unit of the network's estimates."""

SIZE: Final = ROW_FEATURES + COIN_FEATURES, 32
"""The numbers of features and of units."""

PARTS: Final = "units", "unit_bias", "coefficients", "coefficient_bias"
"""The names of the stored weights."""

_CACHE_SIZE: Final = 16
"""Cached turns; within a turn the same one is evaluated again."""


class Outlook:
    """The values of all moves of a turn."""

    def __init__(self, layout: Layout, network: Network) -> None:
        rows, coins = layout.rows, encode_coins(layout.collected)
        numbers = [number for number, row in enumerate(rows, 1) if row != TAKEN_ROW]
        tiles = [tile for row in rows if len(row) > 1 for tile in row] if layout.collected else []
        self._rows, self._points = rows, float(current_points(layout))
        self._boards = [_without_row(rows, number) for number in numbers]
        self._boards += [rows, *(_without_tile(rows, tile) for tile in tiles)]
        self._board_of_row = {number: place for place, number in enumerate(numbers)}
        self._board_of_tile = {tile: place for place, tile in enumerate((None, *tiles), len(numbers))}
        self._holding_of_coin = {coin: place for place, coin in enumerate(layout.collected, MAX_DRAWS)}
        holdings = [Holding(coins, draws) for draws in range(1, MAX_DRAWS + 1)]
        holdings += [Holding(_without_coin(coins, coin), 0) for coin in layout.collected]
        self._row_features = describe_rows(self._boards)
        self._promise = describe_coins(layout.sheet, encode_coins(layout.bag), holdings)
        self._goes_on = np.array([any(board) for board in self._boards])[:, None] & (self._promise.left > 0)
        self._values = self._estimate_values(network)
        self._failed = self._value_failures()
        self.rolls = evaluate_rolls(rows, self._list_worths(), self._failed)

    @property
    def value(self) -> float:
        """The expected final points before the first roll."""
        return float(self.rolls[1].best_values().mean())

    def value_of(self, move: Move, faces: Faces, rolls_left: int) -> float:
        """Return the expected final points after a move."""
        match move:
            case Roll(suits):
                return self.rolls[rolls_left - 1].expected_value(suits, faces)
            case Claim() | Discard():
                return float(self._values[self._place_of(move, faces)])
            case Stop():
                return float(self._failed[faces])
            case _:
                return self._points

    def describe(self, move: Claim | Discard, faces: Faces) -> tuple[Numbers, float] | None:
        """Return the features of what follows a move, and the points expected there; None if the game is over."""
        board, holding = self._place_of(move, faces)
        if not self._goes_on[board, holding]:
            return None
        features = np.concatenate((self._row_features[board], self._promise.features[holding]))
        return features, float(self._promise.points[holding])

    def _place_of(self, move: Claim | Discard, faces: Faces) -> tuple[int, int]:
        """Return the place of what follows a move in the table of values."""
        if isinstance(move, Discard):
            return self._board_of_tile[move.tile], self._holding_of_coin[move.coin]
        return self._board_of_row[move.row], len(find_exact_tiles(self._rows[move.row - 1], faces))

    def _estimate_values(self, network: Network) -> Values:
        """Return what sets of rows (down) with coins (across) are worth: exact once the game is over."""
        estimates = network.estimate_pairs(self._row_features, self._promise.features)
        bonus = np.array([tile_bonus(board) for board in self._boards])[:, None]
        return self._promise.points + np.where(self._goes_on, POINTS_PER_UNIT * estimates, bonus)

    def _list_worths(self) -> list[list[float]]:
        """Return what taking each row is worth, by the number of its tiles that equal a die."""
        worths = self._values[:, :MAX_DRAWS].tolist()
        places = [self._board_of_row.get(number) for number in range(1, len(self._rows) + 1)]
        return [
            [] if place is None else worths[place][: len(row) + 1]
            for place, row in zip(places, self._rows, strict=True)
        ]

    def _value_failures(self) -> Values:
        """Return what a failed roll is worth by the faces of the dice."""
        failed = np.full((len(VALUES),) * len(Suit), self._points)
        if not self._holding_of_coin:
            return failed
        for tile, board in self._board_of_tile.items():
            shown = failed if tile is None else np.moveaxis(failed, tile.suit, 0)[tile.value]
            np.maximum(shown, self._values[board, MAX_DRAWS:].max(), out=shown)
        return failed


def _without_row(rows: tuple[Row, ...], number: int) -> tuple[Row, ...]:
    return (*rows[: number - 1], TAKEN_ROW, *rows[number:])


def _without_tile(rows: tuple[Row, ...], tile: Piece) -> tuple[Row, ...]:
    return tuple(tuple(other for other in row if other != tile) if tile in row else row for row in rows)


def _without_coin(coins: tuple[int, ...], coin: Piece) -> tuple[int, ...]:
    return tuple(values & ~(1 << coin.value) if suit == coin.suit else values for suit, values in enumerate(coins))


@lru_cache(_CACHE_SIZE)
def find_outlook(layout: Layout, network: Network) -> Outlook:
    """Return the values of a turn."""
    return Outlook(layout, network)


@cache
def load_network(tables: Tables) -> Network:
    """Return the stored network.

    Raises:
        BrokenTables: It can't be used.
    """
    arrays = tables.load()
    try:
        network = Network(tuple(arrays[name].astype(np.float32) for name in PARTS))
    except KeyError as missing:
        raise BrokenTables(f"The outlook lacks {missing}.") from missing
    if [part.shape for part in network.weights] != list(list_shapes(*SIZE)):
        raise BrokenTables("The outlook is that of other features.")
    return network
