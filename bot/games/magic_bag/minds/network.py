"""A small network that estimates the rest of a game, what it sees of rows and coins, and how it learns."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from bot.games.magic_bag.minds.turn_values import RollValues, Values, count_exact
from bot.games.magic_bag.pieces import ROW_SIZES, TAKEN_ROW, VALUES, Piece, ReferenceSheet, Row, Suit
from bot.games.magic_bag.scoring import treasure_points, values_of

Numbers: TypeAlias = NDArray[np.float32]
Points: TypeAlias = NDArray[np.float64]
Coins: TypeAlias = tuple[int, ...]
"""Coins as a number for each suit, in which bits stand for values."""

_SIZES: Final = max(ROW_SIZES)
_OF_A_ROW: Final = 4

ROW_FEATURES: Final = _SIZES * _OF_A_ROW
_CACHED_ROWS: Final = 4096
"""Cached rows."""

_AHEAD: Final = 1, 2, 3, 4, 5, 6, 8, 10, 13, 16
"""Numbers of further draws whose points are features."""

_DISCARDS: Final = 3
"""The most discards whose cost is a feature."""

COIN_FEATURES: Final = 2 + len(_AHEAD) + 2 * _DISCARDS + 5
_CACHED_COINS: Final = 8192
"""Cached sets of a suit's coins with the number of coins in the bag, half a kB each."""

_IMPOSSIBLE: Final = 1000.0
_HIGHEST_COST: Final = 100.0


def describe_rows(boards: Sequence[Sequence[Row]]) -> Numbers:
    """Return a line of features for each of several sets of rows.

    For each size of rows: how many there are, and the sums of the coins expected from each in a turn, of the chances of
    matching it, and of its tiles' values.
    """
    return np.array([np.add.reduce([_describe_row(row) for row in rows]) for rows in boards])


# 0.6 ms for each new row.
@lru_cache(_CACHED_ROWS)
def _describe_row(row: Row) -> Numbers:
    """Return the features of a row in the columns of its size."""
    features = np.zeros((_OF_A_ROW, _SIZES), np.float32)
    if row != TAKEN_ROW:
        coins = count_exact(row) + 1.0
        values = sum(tile.value for tile in row) / max(VALUES)
        second = RollValues(RollValues(np.stack((coins, np.minimum(coins, 1)), axis=-1)).best_values())
        means: Values = second.best_values().mean(axis=tuple(Suit))
        features[:, len(row) - 1] = 1, *means, values
    return features.ravel()


class Holding(NamedTuple):
    """Collected coins, and how many more are to be drawn before the next turn."""

    coins: Coins
    owed: int


@dataclass(frozen=True, slots=True)
class Promise:
    """What each of several holdings promises with a bag."""

    features: Numbers
    """A line for each holding."""
    points: Points
    """The points expected once the coins owed are drawn."""
    left: NDArray[np.int_]
    """Coins left in the bag once those owed are drawn."""


def encode_coins(coins: Iterable[Piece]) -> Coins:
    """Return coins as bits."""
    coins = tuple(coins)
    return tuple(sum(1 << value for value in values_of(suit, coins)) for suit in Suit)


def describe_coins(sheet: ReferenceSheet, bag: Coins, holdings: Sequence[Holding]) -> Promise:
    """Return what holdings promise.

    The features are the points expected once the coins owed are drawn, those with the whole bag, and the gains of
    further draws; the least points that one, two and three discards cost now, and in the end; and numbers of coins.
    """
    count = sum(map(int.bit_count, bag))
    owed = np.array([holding.owed for holding in holdings])
    left = np.maximum(count - owed, 0)
    curves = np.array([_add_curves(sheet, holding.coins, bag, count) for holding in holdings])
    points, most = np.take_along_axis(curves, np.minimum(owed, count)[:, None], axis=1), curves[:, count : count + 1]
    ahead = np.take_along_axis(curves, np.minimum(owed[:, None] + _AHEAD, count), axis=1)
    features = (
        points / 300,
        most / 300 - 2,
        (ahead - points) / 100,
        _cost_discards(sheet, bag, holdings) / 50,
        _count_coins(bag, count, holdings, owed, left),
    )
    return Promise(np.concatenate(features, axis=1).astype(np.float32), points[:, 0], left)


def _count_coins(
    bag: Coins, count: int, holdings: Sequence[Holding], owed: NDArray[np.int_], left: NDArray[np.int_]
) -> Points:
    """Return coins left, coins owed, crowns expected once these are drawn, and coins then collected."""
    crowns = np.array([holding.coins[Suit.CROWN].bit_count() for holding in holdings])
    coins = np.array([sum(map(int.bit_count, holding.coins)) for holding in holdings])
    coming = owed * bag[Suit.CROWN].bit_count() / max(count, 1)
    return np.stack((left / 10, 1 / (1 + left), owed / 3, (crowns + coming) / 3, (coins + owed) / 10), axis=1)


def _add_curves(sheet: ReferenceSheet, coins: Coins, bag: Coins, count: int) -> Points:
    curves = [_draw_suit(sheet, suit, coins[suit], bag[suit], count) for suit in Suit]
    return curves[0] + curves[1] + curves[2] + curves[3]


def _cost_discards(sheet: ReferenceSheet, bag: Coins, holdings: Sequence[Holding]) -> Points:
    """Return the least points that discards cost: now by their number, then in the end."""
    suits = np.array([[_discard_suit(sheet, suit, coins[suit], bag[suit]) for suit in Suit] for coins, _ in holdings])
    least = suits[:, 0]
    for suit in range(1, len(Suit)):
        least = _share_discards(least, suits[:, suit])
    costs: Points = np.minimum(least[:, :, 1:], _HIGHEST_COST).reshape(len(holdings), -1)
    return costs


def _share_discards(some: Points, others: Points) -> Points:
    """Return the least cost of discards, by their number on the last axis, that two sets of suits share."""
    totals = [(some[..., : number + 1] + others[..., number::-1]).min(axis=-1) for number in range(_DISCARDS + 1)]
    return np.stack(totals, axis=-1)


# 20 us for each new set of a suit's coins.
@lru_cache(_CACHED_COINS)
def _draw_suit(sheet: ReferenceSheet, suit: Suit, coins: int, bag: int, count: int) -> Points:
    """Return the points expected of a suit after 0, 1, 2 ... draws from a bag with so many coins of all suits."""
    means = _mean_points(sheet, suit, coins, bag)
    return _draw_chances(len(means) - 1, count) @ means


@lru_cache(maxsize=256)
def _draw_chances(inside: int, count: int) -> Points:
    """Return the chances that draws (down) bring so many (across) of some coins in a bag."""
    chances = np.zeros((count + 1, inside + 1))
    for draws in range(count + 1):
        for number in range(max(0, draws - count + inside), min(inside, draws) + 1):
            chances[draws, number] = comb(inside, number) * comb(count - inside, draws - number) / comb(count, draws)
    return chances


@lru_cache(maxsize=_CACHED_COINS)
def _mean_points(sheet: ReferenceSheet, suit: Suit, coins: int, bag: int) -> Points:
    """Return the points expected of a suit with 0, 1, 2 ... more of its coins from the bag."""
    worth, inside = _points_of_suit(sheet, suit), _list_bits(bag)
    return np.array(
        [
            np.mean([worth[coins + sum(some)] for some in combinations(inside, drawn)])
            for drawn in range(len(inside) + 1)
        ]
    )


@lru_cache(maxsize=_CACHED_COINS)
def _discard_suit(sheet: ReferenceSheet, suit: Suit, coins: int, bag: int) -> Points:
    """Return the least points that 0 to 3 discards of a suit cost: a line for now, and one for the end."""
    worth, inside = _points_of_suit(sheet, suit), _list_bits(coins)
    costs = np.full((2, _DISCARDS + 1), _IMPOSSIBLE)
    for number in range(min(_DISCARDS, len(inside)) + 1):
        some = [sum(chosen) for chosen in combinations(inside, number)]
        costs[:, number] = [min(worth[had] - worth[had - lost] for lost in some) for had in (coins, coins + bag)]
    return costs


def _list_bits(coins: int) -> list[int]:
    return [1 << value for value in VALUES if coins >> value & 1]


@lru_cache(maxsize=64)
def _points_of_suit(sheet: ReferenceSheet, suit: Suit) -> tuple[int, ...]:
    """Return the points for each set of a suit's coins."""
    return tuple(
        treasure_points(sheet, [Piece(suit, value) for value in VALUES if coins >> value & 1])
        for coins in range(1 << len(VALUES))
    )


_BATCH: Final = 256
_RATE: Final = 2e-3
_LAST_RATE: Final = 0.02
"""The share of the learning rate that is left at the end of a fit."""

_MEMORY: Final = (0.9, 0.999)
"""How slowly the means of gradients and of their squares change."""

_LEAST_SPREAD: Final = 1e-8
"""Keeps what has no gradients from being divided by 0."""


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """A layer of rectified units chooses the coefficients of a linear function of the features."""

    weights: tuple[Numbers, ...]
    """A matrix and a bias of the units, and of the coefficients; the last coefficient is the constant."""

    def estimate(self, features: Numbers) -> Numbers:
        """Return an estimate for each line of features."""
        coefficients = self._choose(features @ self.weights[0] + self.weights[1])
        found: Numbers = (coefficients[:, :-1] * features).sum(axis=1) + coefficients[:, -1]
        return found

    def estimate_pairs(self, first: Numbers, second: Numbers) -> Numbers:
        """Return an estimate for each line of features from one table, joined with each line from another."""
        matrix, bias = self.weights[:2]
        split = first.shape[1]
        coefficients = self._choose((first @ matrix[:split])[:, None] + (second @ matrix[split:] + bias))
        found: Numbers = (
            np.einsum("fsc,fc->fs", coefficients[..., :split], first)
            + np.einsum("fsc,sc->fs", coefficients[..., split:-1], second)
            + coefficients[..., -1]
        )
        return found

    def _choose(self, units: Numbers) -> Numbers:
        """Return coefficients from the inputs of the units."""
        found: Numbers = np.maximum(units, 0) @ self.weights[2] + self.weights[3]
        return found


def list_shapes(features: int, units: int) -> tuple[tuple[int, ...], ...]:
    """Return the shapes of weights."""
    return (features, units), (units,), (units, features + 1), (features + 1,)


def make_network(random: np.random.Generator, features: int, units: int) -> Network:
    """Return a network with random units, which estimates 0."""
    weights = [np.zeros(shape, np.float32) for shape in list_shapes(features, units)]
    weights[0] += random.standard_normal(weights[0].shape) / np.sqrt(features)
    return Network(tuple(weights))


def fit(network: Network, features: Numbers, wanted: Numbers, random: np.random.Generator, epochs: int) -> Network:
    """Return the network after learning to estimate what is wanted for each line of features."""
    weights = [part.copy() for part in network.weights]
    optimizers = [_Adam(part) for part in weights]
    steps = epochs * (len(features) // _BATCH)
    for step, chosen in enumerate(_draw_batches(random, len(features), epochs), 1):
        rate = _RATE * (1 - (1 - _LAST_RATE) * step / steps)
        gradients = _find_gradients(weights, features[chosen], wanted[chosen])
        for optimizer, gradient in zip(optimizers, gradients, strict=True):
            optimizer.improve(gradient, rate, step)
    return Network(tuple(weights))


class _Adam:
    """Improves weights in place by Adam's method: steps of about the same size for all of them."""

    def __init__(self, weights: Numbers) -> None:
        self._weights = weights
        self._mean, self._square = np.zeros_like(weights), np.zeros_like(weights)

    def improve(self, gradient: Numbers, rate: float, step: int) -> None:
        """Take a step against a gradient."""
        of_mean, of_square = _MEMORY
        self._mean += (1 - of_mean) * (gradient - self._mean)
        self._square += (1 - of_square) * (gradient * gradient - self._square)
        spread = np.sqrt(self._square / (1 - of_square**step)) + _LEAST_SPREAD
        self._weights -= rate / (1 - of_mean**step) * self._mean / spread


def _draw_batches(random: np.random.Generator, count: int, epochs: int) -> Iterator[NDArray[np.int_]]:
    """Yield the places of each batch."""
    for _ in range(epochs):
        order = random.permutation(count)
        yield from (order[first : first + _BATCH] for first in range(0, count - _BATCH + 1, _BATCH))


def _find_gradients(weights: list[Numbers], features: Numbers, wanted: Numbers) -> tuple[Numbers, ...]:
    """Return the gradients of half the mean squared error."""
    units = np.maximum(features @ weights[0] + weights[1], 0)
    inputs = np.column_stack((features, np.ones(len(features), np.float32)))
    errors = (((units @ weights[2] + weights[3]) * inputs).sum(axis=1) - wanted) / len(wanted)
    at_coefficients = errors[:, None] * inputs
    at_units = (at_coefficients @ weights[2].T) * (units > 0)
    layers = ((features, at_units), (units, at_coefficients))
    return tuple(part for given, wrong in layers for part in (given.T @ wrong, wrong.sum(axis=0)))
