"""What the tools know of single games: modules in folders of the tools, named by the games' keys."""

from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType


@lru_cache(maxsize=64)
def find_module(folder: str, key: str) -> ModuleType | None:
    """Return the module of a game in a folder of the tools, or None if it has none there."""
    name = f"bot.tools.{folder}.{key}"
    return import_module(name) if find_spec(name) else None
