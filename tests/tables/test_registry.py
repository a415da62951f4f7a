"""The registry finds all games."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import bot.games
from bot.games.magpie import PACKAGE as MAGPIE
from bot.platform.content import NpzTables
from bot.rules.content import BrokenTables
from bot.tables.registry import AnyPackage, BrokenGame, GameRegistry, load_games, needs_tables, played_level
from tests.support.broken_games import BROKEN_FILE


class Titled:
    """Just enough of a game to be registered."""

    def __init__(self, key: str, title: str) -> None:
        self.info = replace(MAGPIE.game.info, key=key, title=title)


def titled(key: str, title: str) -> AnyPackage:
    game: Any = Titled(key, title)
    return replace(MAGPIE, game=game)


def test_every_game_folder_is_found() -> None:
    folders = {file.parent.name for file in Path(bot.games.__path__[0]).glob("*/__init__.py")}
    games = load_games()
    assert set(games) == folders
    assert all(package.game.info.key == key for key, package in games.items())


def test_games_are_sorted_by_title() -> None:
    games = GameRegistry([titled("a", "Zebra"), titled("z", "Ant"), titled("m", "Mole")])
    assert list(games) == ["z", "m", "a"]
    assert len(games) == 3
    assert games["m"].game.info.title == "Mole"
    assert games.get("other") is None


def test_games_are_loaded_whole_whether_or_not_their_stored_arrays_are_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    """So workers, which load them by themselves, can say what is broken."""

    def fail(*_: object) -> None:
        raise BrokenTables(BROKEN_FILE)

    monkeypatch.setattr(NpzTables, "load", fail)
    trained = [package for package in load_games().values() if package.mind.stored is not None]
    assert trained
    for package in trained:
        assert list(package.mind.strategies) == ["easy", "normal", "strong"]
        assert package.mind.broken == ""


def test_normal_plays_for_every_level_while_stored_arrays_are_broken() -> None:
    games = GameRegistry([MAGPIE])
    games.note_broken("magpie", BROKEN_FILE)
    package = games["magpie"]
    assert package.mind.broken == BROKEN_FILE
    assert [played_level(package, level) for level in package.mind.strategies] == ["normal"] * 3
    assert [level for level in (*package.mind.strategies, "random") if needs_tables(package, level)] == [
        "easy",
        "strong",
    ]
    assert [played_level(MAGPIE, level) for level in package.mind.strategies] == ["easy", "normal", "strong"]


def test_a_removed_game_is_named() -> None:
    with pytest.raises(KeyError, match="there is no game called 'chess'; the games are go, tabula\""):
        GameRegistry([titled("tabula", "Tabula"), titled("go", "Go")])["chess"]


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ({"__init__.py": "import nothing_of_the_kind"}, "can't be imported: ModuleNotFoundError"),
        ({"__init__.py": "1 / 0"}, "can't be imported: ZeroDivisionError"),
        ({"__init__.py": ""}, "needs a PACKAGE"),
        ({"__init__.py": "from bot.games.magpie import PACKAGE"}, "the game's key is 'magpie'"),
    ],
)
def test_a_folder_that_is_no_game_is_named(
    files: dict[str, str], reason: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd").mkdir()
    for name, text in files.items():
        (tmp_path / "odd" / name).write_text(text)
    monkeypatch.setattr(bot.games, "__path__", [*bot.games.__path__, str(tmp_path)])
    monkeypatch.delitem(sys.modules, "bot.games.odd", raising=False)
    with pytest.raises(BrokenGame, match=f"bot/games/odd.*{reason}"):
        load_games()
