"""The registry of games, every package in `bot.games`, and the levels of their computer players."""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

from bot.platform.content import build_packages
from bot.rules.chance import Chance
from bot.rules.evaluation import Evaluator
from bot.rules.package import USUAL_LEVEL, GameFactory, GamePackage, Series, Strategy
from bot.rules.playout import random_move
from bot.tables.minds import with_mind

GAMES_PACKAGE = "bot.games"

# A table can have any game, so the types of options, state, move and view are erased from here on.
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

    def note_broken(self, key: str, broken: str) -> None:
        """Note why stored arrays of a game can't be used, so that tables loaded from now on play without them."""
        package = self[key]
        self._packages[key] = replace(package, mind=replace(package.mind, broken=broken))

    def __iter__(self) -> Iterator[str]:
        return iter(self._packages)

    def __len__(self) -> int:
        return len(self._packages)


class BrokenGame(Exception):
    """A game's folder can't be used; the message names the folder and the reason."""


def load_games() -> GameRegistry:
    """Import every game and load its content, except the arrays of computer players.

    Raises:
        BrokenGame: A folder can't be imported, offers no package, or is not named after its game's key.
        BrokenContent: The content of a game can't be used.
    """
    games = importlib.import_module(GAMES_PACKAGE)
    names = [module.name for module in pkgutil.iter_modules(games.__path__) if module.ispkg]
    packages = build_packages({name: _import_offer(name) for name in names})
    for name, package in zip(names, packages, strict=True):
        if package.game.info.key != name:
            raise BrokenGame(f"bot/games/{name}: the game's key is {package.game.info.key!r}, not the folder's name")
    return GameRegistry(map(with_mind, packages))


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


RANDOM_LEVEL: Final = "random"
"""The level of random moves: the only one of a game without strategies, and available to simulations of any game."""


class RandomStrategy:
    """Picks a kind of move at random, then a move of that kind, without looking at the view."""

    def __call__(self, view: object, moves: Sequence[Any], chance: Chance) -> Any:
        """Choose one of the moves."""
        return random_move(moves, chance)


def levels_of(package: AnyPackage) -> Mapping[str, AnyStrategy]:
    """Return a game's strategies by level, weakest first; random moves if it has none."""
    return package.mind.strategies or {RANDOM_LEVEL: RandomStrategy()}


def find_strategy(package: AnyPackage, level: str) -> AnyStrategy | None:
    """Return the strategy of a level, or None for an unknown level. Every game has the level of random moves."""
    if level == RANDOM_LEVEL:
        return RandomStrategy()
    return package.mind.strategies.get(level)


def needs_tables(package: AnyPackage, level: str) -> bool:
    """Return whether a level may look up a game's stored arrays."""
    return level not in {RANDOM_LEVEL, usual_level(package)}


def played_level(package: AnyPackage, level: str) -> str:
    """Return the level that really plays for a requested one.

    The usual level replaces a level that the game does not offer, or whose stored arrays can't be used.
    """
    is_broken = bool(package.mind.broken) and needs_tables(package, level)
    return usual_level(package) if is_broken or find_strategy(package, level) is None else level


def usual_level(package: AnyPackage) -> str:
    """Return the level of a game's computer players unless the opener chooses another."""
    levels = levels_of(package)
    return USUAL_LEVEL if USUAL_LEVEL in levels else list(levels)[-1]


def evaluators_of(package: AnyPackage) -> Sequence[AnyEvaluator]:
    """Return a game's evaluators of moves, best first; the weaker ones take over if its stored arrays can't be used."""
    weaker = (getattr(strategy, "evaluate", None) for strategy in reversed(list(levels_of(package).values())))
    return [evaluate for evaluate in dict.fromkeys((package.mind.evaluate, *weaker)) if evaluate is not None]
