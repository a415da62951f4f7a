"""The registry of games: every package in `bot.games`."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

from bot.platform.content import build_packages
from bot.rules.evaluation import Evaluator
from bot.rules.package import GameFactory, GamePackage, Series, Strategy

GAMES_PACKAGE = "bot.games"

# A table hosts any game, so from here on the types of options, state, move and view are erased.
AnyPackage: TypeAlias = GamePackage[Any, Any, Any, Any, Any]
AnySeries: TypeAlias = Series[Any]
AnyStrategy: TypeAlias = Strategy[Any, Any]
AnyEvaluator: TypeAlias = Evaluator[Any, Any]


class GameRegistry(Mapping[str, AnyPackage]):
    """Game packages by key, sorted by title."""

    def __init__(self, packages: Iterable[AnyPackage]) -> None:
        ordered = sorted(packages, key=lambda package: package.game.info.title)
        self._packages = {package.game.info.key: package for package in ordered}

    def __getitem__(self, key: str) -> AnyPackage:
        if key not in self._packages:
            raise KeyError(f"there is no game called {key!r}; the games are {', '.join(self._packages)}")
        return self._packages[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)


class BrokenGame(Exception):
    """A folder of a game that can't be used; the message names it and says why."""


def load_games() -> GameRegistry:
    """Import every game and load its content, without what computer players look up.

    Raises:
        BrokenGame: A folder can't be imported, offers no package, or has another name than its game's key.
        BrokenContent: The content of a game can't be used.
    """
    games = importlib.import_module(GAMES_PACKAGE)
    names = [module.name for module in pkgutil.iter_modules(games.__path__) if module.ispkg]
    packages = build_packages({name: _import_offer(name) for name in names})
    for name, package in zip(names, packages, strict=True):
        if package.game.info.key != name:
            raise BrokenGame(f"bot/games/{name}: the game's key is {package.game.info.key!r}, not the folder's name")
    return GameRegistry(packages)


def _import_offer(name: str) -> AnyPackage | GameFactory[Any, AnyPackage]:
    """Return the package or factory of a game's folder."""
    try:
        module = importlib.import_module(f"{GAMES_PACKAGE}.{name}")
    except Exception as fault:
        raise BrokenGame(f"bot/games/{name} can't be imported: {fault!r}") from fault
    offer = getattr(module, "PACKAGE", None)
    if not isinstance(offer, GamePackage | GameFactory):
        raise BrokenGame(f"bot/games/{name}/__init__.py needs a PACKAGE: a GamePackage or a GameFactory")
    return offer
