"""Games are found by looking."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import bot.games
from bot.games.magpie import PACKAGE as MAGPIE
from bot.tables.registry import AnyPackage, GameRegistry, load_games


class Titled:
    """Just enough of a game to be registered."""

    def __init__(self, key: str, title: str) -> None:
        self.info = replace(MAGPIE.game.info, key=key, title=title)


def titled(key: str, title: str) -> AnyPackage:
    game: Any = Titled(key, title)
    return replace(MAGPIE, game=game)


def test_every_folder_of_games_is_found() -> None:
    folders = {file.parent.name for file in Path(bot.games.__path__[0]).glob("*/__init__.py")}
    games = load_games()
    assert set(games) == folders
    assert all(package.game.info.key == key for key, package in games.items())


def test_games_stand_in_the_order_of_their_titles() -> None:
    games = GameRegistry([titled("a", "Zebra"), titled("z", "Ant"), titled("m", "Mole")])
    assert list(games) == ["z", "m", "a"]
    assert len(games) == 3
    assert games["m"].game.info.title == "Mole"
    assert games.get("other") is None
