"""A small network that estimates numbers from features, and how it learns."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Numbers: TypeAlias = NDArray[np.float32]

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
