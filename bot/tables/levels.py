"""The levels of computer players."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bot.rules.chance import Chance
from bot.rules.package import USUAL_LEVEL
from bot.rules.playout import random_move
from bot.tables.registry import AnyEvaluator, AnyPackage, AnyStrategy

RANDOM_LEVEL: Final = "random"
"""Random moves: the only level of a game without strategies, and one for simulations of every game."""


class RandomStrategy:
    """Picks a kind of move at random, then a move of that kind; ignores the view."""

    def __call__(self, view: object, moves: Sequence[Any], chance: Chance) -> Any:
        """Choose one of the moves."""
        return random_move(moves, chance)


def levels_of(package: AnyPackage) -> Mapping[str, AnyStrategy]:
    """Return the strategies that a game offers by level, weakest first; random moves if it has none."""
    return package.strategies or {RANDOM_LEVEL: RandomStrategy()}


def find_strategy(package: AnyPackage, level: str) -> AnyStrategy | None:
    """Return the strategy of a level, which random moves are in every game; None for an unknown level."""
    if level == RANDOM_LEVEL:
        return RandomStrategy()
    return package.strategies.get(level)


def needs_tables(package: AnyPackage, level: str) -> bool:
    """Return whether a level looks up the stored arrays that a game may have."""
    return level not in {RANDOM_LEVEL, usual_level(package)}


def played_level(package: AnyPackage, level: str) -> str:
    """Return the level that plays where one is asked for.

    It is the usual one for a level that a game does not offer, or that looks up stored arrays that can't be used.
    """
    is_broken = bool(package.broken) and needs_tables(package, level)
    return usual_level(package) if is_broken or find_strategy(package, level) is None else level


def usual_level(package: AnyPackage) -> str:
    """Return the level of a game's computer players unless the host chooses another."""
    levels = levels_of(package)
    return USUAL_LEVEL if USUAL_LEVEL in levels else list(levels)[-1]


def next_level(package: AnyPackage, level: str) -> str:
    """Return the level above one of a game's; the weakest follows the strongest, and a level that is not offered."""
    levels = list(levels_of(package))
    return levels[(levels.index(level) + 1) % len(levels)] if level in levels else levels[0]


def evaluators_of(package: AnyPackage) -> Sequence[AnyEvaluator]:
    """Return what says what moves are worth, best first; the others are for when its stored arrays can't be used."""
    weaker = (getattr(strategy, "evaluate", None) for strategy in reversed(list(levels_of(package).values())))
    return [evaluate for evaluate in dict.fromkeys((package.evaluate, *weaker)) if evaluate is not None]
