"""The games with their content, which is read once for all tests."""

from functools import cache

from bot.tables.registry import GameRegistry, load_games


@cache
def load_games_once() -> GameRegistry:
    """Return the games that are installed."""
    return load_games()
