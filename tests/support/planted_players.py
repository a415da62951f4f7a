"""Magpie with computer players that fail, for worker processes, which load their games by themselves."""

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bot.games.magpie import PACKAGE
from bot.games.magpie.minds.evaluation import evaluate_points
from bot.games.magpie.pieces import Roll, State
from bot.rules.chance import Chance
from bot.rules.content import BrokenTables
from bot.rules.evaluation import Evaluation
from bot.rules.package import StoredArrays
from bot.tables.registry import AnyStrategy, GameRegistry


@dataclass(frozen=True)
class PlantedPlayer:
    """Does something before it makes the last move of the list."""

    act: Callable[[], None]

    def __call__(self, view: State, moves: Sequence[Roll], chance: Chance) -> Roll:
        self.act()
        return moves[-1]


def do_nothing() -> None:
    pass


def die() -> None:
    os._exit(7)


def fail() -> None:
    raise LookupError("thought too hard")


def miss_tables() -> None:
    raise BrokenTables("data/magpie/race.npz can't be read.")


def _load(**players: Callable[[], None]) -> GameRegistry:
    strategies: dict[str, AnyStrategy] = {level: PlantedPlayer(act) for level, act in players.items()}
    stored = StoredArrays("race", do_nothing)
    return GameRegistry([replace(PACKAGE, mind=replace(PACKAGE.mind, strategies=strategies, stored=stored))])


def load_planted() -> GameRegistry:
    """Return Magpie with players that fail in different ways; those of the usual level do not."""
    return _load(dying=die, failing=fail, broken=miss_tables, normal=do_nothing)


def load_dying() -> GameRegistry:
    """Return Magpie with players that all die."""
    return _load(normal=die)


def load_dying_evaluator() -> GameRegistry:
    """Return Magpie with values whose worker dies before the first answer."""
    return GameRegistry([replace(PACKAGE, mind=replace(PACKAGE.mind, evaluate=die_and_evaluate, strategies={}))])


def die_and_evaluate(view: State, moves: Sequence[Roll]) -> Evaluation:
    marker = Path(os.environ["DIED"])
    if not marker.exists():
        marker.touch()
        die()
    return evaluate_points(view, moves)


def load_nothing() -> GameRegistry:
    """Fail."""
    raise LookupError("the disk is gone")
