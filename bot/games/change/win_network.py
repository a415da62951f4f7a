"""A small network that estimates chances of winning, from what starts of turns look like."""

from dataclasses import dataclass, fields
from functools import lru_cache
from typing import Final

import numpy as np

from bot.games.change.prospects import FEATURES, Floats
from bot.rules.content import Tables

UNITS: Final = 32
"""The hidden units."""


@dataclass(frozen=True, slots=True, eq=False)
class WinNetwork:
    """Weights that turn the features of each seat into a score; chances of winning are the softmax of the scores."""

    hidden: Floats
    """By feature and unit."""
    bias: Floats
    output: Floats

    def pack(self) -> dict[str, Floats]:
        """Return the arrays to store."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def activate(self, features: Floats) -> Floats:
        """Return how active the hidden units are, with a last axis for them."""
        return np.maximum(features @ self.hidden + self.bias, 0)

    def chances(self, activity: Floats) -> Floats:
        """Return the chance of winning of every seat, which is the last axis."""
        scores = activity @ self.output
        powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
        chances: Floats = powers / powers.sum(axis=-1, keepdims=True)
        return chances


# A millisecond of a computer player's move.
@lru_cache(maxsize=8)
def load_network(tables: Tables) -> WinNetwork:
    """Return the stored network.

    Raises:
        BrokenTables: It can't be used.
    """
    shapes = {"hidden": (FEATURES, UNITS), "bias": (UNITS,), "output": (UNITS,)}
    return WinNetwork(**tables.load("float64", shapes))
