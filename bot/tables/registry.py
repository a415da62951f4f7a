"""The games that can be played: every package in `bot.games`, found by looking."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping

from bot.content import assembled
from bot.rules.package import GamePackage

GAMES_PACKAGE = "bot.games"


class GameRegistry(Mapping[str, GamePackage]):
    """Game packages by key, in the order of their titles."""

    def __init__(self, packages: Iterable[GamePackage]) -> None:
        ordered = sorted(packages, key=lambda package: package.game.info.title)
        self._packages = {package.game.info.key: package for package in ordered}

    def __getitem__(self, key: str) -> GamePackage:
        return self._packages[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)


def load_games() -> GameRegistry:
    """Import every game and give it its content.

    An import error is the caller's to report, and so is `BrokenContent`.
    """
    games = importlib.import_module(GAMES_PACKAGE)
    names = [module.name for module in pkgutil.iter_modules(games.__path__) if module.ispkg]
    return GameRegistry(assembled({name: importlib.import_module(f"{GAMES_PACKAGE}.{name}").PACKAGE for name in names}))
