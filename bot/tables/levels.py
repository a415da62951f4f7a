"""The levels of computer players."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.rules.chance import Chance
from bot.rules.playout import random_move
from bot.tables.registry import AnyPackage, AnyStrategy

RANDOM_LEVEL = "random"
"""The level that every game has in addition to its own."""


class RandomStrategy:
    """Picks a kind of move at random, then a move of that kind; ignores the view."""

    def __call__(self, view: object, moves: Sequence[Any], chance: Chance) -> Any:
        """Choose one of the moves."""
        return random_move(moves, chance)


def levels_of(package: AnyPackage) -> Mapping[str, AnyStrategy]:
    """Return a game's strategies by level, weakest first."""
    return {RANDOM_LEVEL: RandomStrategy(), **package.strategies}


def strongest_level(package: AnyPackage) -> str:
    """Return a game's strongest level, which is the default."""
    return list(levels_of(package))[-1]


def next_level(package: AnyPackage, level: str) -> str:
    """Return the level above one of a game's levels; the weakest follows the strongest."""
    levels = list(levels_of(package))
    return levels[(levels.index(level) + 1) % len(levels)]
