"""The registry of games: every package in `bot.games`."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from bot.content import assembled
from bot.rules.game import Game
from bot.rules.package import GamePackage, Series, Strategy

GAMES_PACKAGE = "bot.games"

# A table hosts any game, so from here on the types of options, state, move and view are erased.
AnyGame: TypeAlias = Game[Any, Any, Any, Any]
AnyPackage: TypeAlias = GamePackage[Any, Any, Any, Any]
AnySeries: TypeAlias = Series[Any]
AnyStrategy: TypeAlias = Strategy[Any, Any]


class GameRegistry(Mapping[str, AnyPackage]):
    """Game packages by key, sorted by title."""

    def __init__(self, packages: Iterable[AnyPackage]) -> None:
        ordered = sorted(packages, key=lambda package: package.game.info.title)
        self._packages = {package.game.info.key: package for package in ordered}

    def __getitem__(self, key: str) -> AnyPackage:
        return self._packages[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)


def load_games() -> GameRegistry:
    """Import every game and load its content.

    Raises:
        BrokenContent: The content of some games can't be used.
    """
    games = importlib.import_module(GAMES_PACKAGE)
    names = [module.name for module in pkgutil.iter_modules(games.__path__) if module.ispkg]
    return GameRegistry(assembled({name: importlib.import_module(f"{GAMES_PACKAGE}.{name}").PACKAGE for name in names}))
