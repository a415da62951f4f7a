"""What moves are worth in expected final points.

A turn is exact, over all outcomes of the dice. For the strongest player a network estimates what comes after it: it is
asked about the rows and coins that are left, and how many coins are still to be drawn, whichever they turn out to be.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, TypeVar

import numpy as np

from bot.games.magic_bag.minds.network import (
    COIN_FEATURES,
    ROW_FEATURES,
    Holding,
    Network,
    Numbers,
    describe_coins,
    describe_rows,
    encode_coins,
    list_shapes,
)
from bot.games.magic_bag.minds.turn_values import (
    MAX_DRAWS,
    TurnValues,
    Values,
    current_points,
    evaluate_rolls,
    get_turn_values,
)
from bot.games.magic_bag.pieces import (
    TAKEN_ROW,
    VALUES,
    Claim,
    Discard,
    Faces,
    Layout,
    Move,
    Piece,
    Roll,
    Row,
    State,
    Stop,
    Suit,
)
from bot.games.magic_bag.scoring import find_exact_tiles, tile_bonus
from bot.rules.content import BrokenTables, Tables
from bot.rules.evaluation import Evaluation, Unit

KeyT = TypeVar("KeyT")

POINTS_PER_UNIT: Final = 100
"""Points in a unit of the network's estimates."""

SIZE: Final = ROW_FEATURES + COIN_FEATURES, 32
"""The numbers of features and of units."""

PARTS: Final = "units", "unit_bias", "coefficients", "coefficient_bias"
"""The names of the stored weights."""

_CACHE_SIZE: Final = 16
"""Cached turns; within a turn the same one is evaluated again."""


@dataclass(frozen=True, slots=True)
class Sequel:
    """What a move is expected to lead to."""

    features: Numbers
    points: float
    """The points expected once the coins owed are drawn."""
    value: float
    """The points expected in the end."""


class Outlook:
    """The values of all moves of a turn."""

    def __init__(self, layout: Layout, network: Network) -> None:
        self._rows, self._points = layout.rows, float(current_points(layout))
        boards, holdings = _list_boards(layout), _list_holdings(layout)
        self._down, self._across = _number(boards), _number(holdings)
        self._row_features = describe_rows([*boards.values()])
        self._promise = describe_coins(layout.sheet, encode_coins(layout.bag), [*holdings.values()])
        goes_on = np.array([any(board) for board in boards.values()])[:, None] & (self._promise.left > 0)
        bonus = np.array([tile_bonus(board) for board in boards.values()])[:, None]
        to_come = POINTS_PER_UNIT * network.estimate_pairs(self._row_features, self._promise.features)
        self._values = self._promise.points + np.where(goes_on, to_come, bonus)
        self._failed = self._value_failures()
        self.rolls = evaluate_rolls(self._rows, self._list_worths(), self._failed)

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

    def expect(self, move: Claim | Discard, faces: Faces) -> Sequel:
        """Return what a move is expected to lead to."""
        board, holding = self._place_of(move, faces)
        features = np.concatenate((self._row_features[board], self._promise.features[holding]))
        return Sequel(features, float(self._promise.points[holding]), float(self._values[board, holding]))

    def _place_of(self, move: Claim | Discard, faces: Faces) -> tuple[int, int]:
        """Return the place of what follows a move in the table of values."""
        if isinstance(move, Discard):
            return self._down[move.tile], self._across[move.coin]
        return self._down[move.row], self._across[1 + len(find_exact_tiles(self._rows[move.row - 1], faces))]

    def _list_worths(self) -> list[Values]:
        """Return what taking each row is worth, by the number of its tiles that equal a die."""
        return [
            self._values[self._down[number], : len(row) + 1] if row != TAKEN_ROW else self._values[:0, 0]
            for number, row in enumerate(self._rows, 1)
        ]

    def _value_failures(self) -> Values:
        """Return what a failed roll is worth by the faces of the dice."""
        failed = np.full((len(VALUES),) * len(Suit), self._points)
        discards = self._values[:, MAX_DRAWS:].max(axis=1, initial=self._points)
        for tile, place in self._down.items():
            if not isinstance(tile, int):
                shown = failed if tile is None else np.moveaxis(failed, tile.suit, 0)[tile.value]
                np.maximum(shown, discards[place], out=shown)
        return failed


def _list_boards(layout: Layout) -> dict[int | Piece | None, tuple[Row, ...]]:
    """Return the rows without each row, as they are, and without each tile that may be removed."""
    rows = layout.rows
    boards: dict[int | Piece | None, tuple[Row, ...]] = {
        number: (*rows[: number - 1], TAKEN_ROW, *rows[number:])
        for number, row in enumerate(rows, 1)
        if row != TAKEN_ROW
    }
    boards[None] = rows
    tiles = [tile for row in rows if len(row) > 1 for tile in row] if layout.collected else []
    return boards | {tile: _without_tile(rows, tile) for tile in tiles}


def _list_holdings(layout: Layout) -> dict[int | Piece, Holding]:
    """Return the coins with each number of draws owed, then without each coin."""
    coins = encode_coins(layout.collected)
    holdings: dict[int | Piece, Holding] = {draws: Holding(coins, draws) for draws in range(1, MAX_DRAWS + 1)}
    return holdings | {coin: Holding(_without_coin(coins, coin), 0) for coin in layout.collected}


def _number(keys: Iterable[KeyT]) -> dict[KeyT, int]:
    return {key: place for place, key in enumerate(keys)}


def _without_tile(rows: tuple[Row, ...], tile: Piece) -> tuple[Row, ...]:
    return tuple(tuple(other for other in row if other != tile) if tile in row else row for row in rows)


def _without_coin(coins: tuple[int, ...], coin: Piece) -> tuple[int, ...]:
    return tuple(values & ~(1 << coin.value) if suit == coin.suit else values for suit, values in enumerate(coins))


@lru_cache(_CACHE_SIZE)
def find_outlook(layout: Layout, network: Network) -> Outlook:
    """Return the values of a turn."""
    return Outlook(layout, network)


@lru_cache(maxsize=8)
def load_network(tables: Tables) -> Network:
    """Return the stored network.

    Raises:
        BrokenTables: It can't be used.
    """
    arrays = tables.load("float32", dict(zip(PARTS, list_shapes(*SIZE), strict=True)))
    return Network(tuple(arrays[name] for name in PARTS))


VALUE_ERROR: Final = 2
"""By how many points estimates are usually off; measured."""

_DIGITS: Final = 6
"""Decimals of values: the others depend on how a machine rounds, and tell moves apart that are equal."""


def evaluate_final_score(view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the expected final points after each move: exact for this turn, an estimate for later turns."""
    return _evaluate(get_turn_values(view.layout), view, moves)


def _evaluate(turn: TurnValues | Outlook, view: State, moves: Sequence[Move]) -> Evaluation:
    values = [round(turn.value_of(move, view.faces, view.rolls_left), _DIGITS) for move in moves]
    return Evaluation(values, Unit.FINAL_POINTS)


@dataclass(frozen=True, slots=True)
class OutlookEvaluator:
    """Finds the expected final points after each move: exact for this turn, learned for later turns."""

    tables: Tables

    def __call__(self, view: State, moves: Sequence[Move]) -> Evaluation:
        """Return the value of each move.

        Raises:
            BrokenTables: The stored network can't be used.
        """
        return _evaluate(find_outlook(view.layout, load_network(self.tables)), view, moves)


def evaluate_for_screen(tables: Tables, view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the value of each move as hints do, or as Normal does if the stored network can't be used."""
    try:
        return OutlookEvaluator(tables)(view, moves)
    except BrokenTables:
        return evaluate_final_score(view, moves)
