"""The games with their content, which is read once for all tests."""

from functools import cache

from bot.rules.playout import PlayoutEvaluator
from bot.tables.registry import AnyPackage, GameRegistry, load_games


@cache
def load_games_once() -> GameRegistry:
    """Return the games that are installed."""
    return load_games()


def values_moves(package: AnyPackage) -> bool:
    """Return whether a game says itself what moves are worth, so that nobody needs playouts."""
    return package.mind.evaluate is not None and not isinstance(package.mind.evaluate, PlayoutEvaluator)
