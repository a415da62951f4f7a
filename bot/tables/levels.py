"""The levels that computer players play at."""

from collections.abc import Mapping, Sequence
from typing import Any

from bot.rules.chance import Chance
from bot.rules.playout import random_move
from bot.tables.registry import AnyPackage, AnyStrategy

RANDOM_LEVEL = "random"
"""The level that every game has beside its own."""


class RandomStrategy:
    """Chooses a kind of move first and then one of that kind, without a look at the view."""

    def __call__(self, view: object, moves: Sequence[Any], chance: Chance) -> Any:
        """Choose one of the moves."""
        return random_move(moves, chance)


def levels_of(package: AnyPackage) -> Mapping[str, AnyStrategy]:
    """Return the computer players of a game by level, weakest first."""
    return {RANDOM_LEVEL: RandomStrategy(), **package.strategies}


def strongest_level(package: AnyPackage) -> str:
    """Return the level that plays where none was named."""
    return list(levels_of(package))[-1]
