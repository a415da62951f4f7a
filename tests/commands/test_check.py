"""`check` reports whether everything is in order, and never prints a secret."""

from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

import bot.tables.registry
from bot.commands import check
from bot.games.fortune.minds.race import load_race
from bot.platform import content
from bot.platform.content import NpzTables
from bot.platform.discord.client import ParlourClient
from bot.rules.content import BrokenTables
from bot.settings import Settings
from bot.tools import completeness
from bot.tools.completeness import find_missing
from tests.commands.run_command import run_command
from tests.support.each_case import each_case
from tests.support.games import load_games_once

TOKEN = "MTIzNDU2Nzg5.GhIjKl.very-secret-part"


@pytest.fixture(autouse=True)
def no_puzzles_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Skip the puzzles, which take most of the time: `tests/test_adding_a_game.py` has them checked."""
    monkeypatch.setattr(check, "check_book", lambda _package, _book: ())


def test_lists_games_and_commands(tmp_path: Path) -> None:
    ended = run_command("check")
    assert (ended.code, ended.err) == (0, "")
    lines = ended.out.splitlines()
    for key, package in load_games_once().items():
        assert any(line.startswith(f"Game: {key} ({package.game.info.title}, ") for line in lines)
    assert "Game: magic_bag (The Magic Bag, 1 seat)" in lines
    assert "Command: /magpie new" in lines
    assert "Command: /help" in lines
    assert any(line.startswith("Art: ") for line in lines)
    assert [line for line in lines if line.startswith("Missing: ")] == [], "every game has its pages and tests"
    assert lines[-1] == "No problems found."
    assert any("DISCORD_TOKEN is not set" in line for line in lines)
    assert any(line.startswith("Live check: none yet") for line in lines)
    assert "Database: there is no file var/parlour.sqlite3; the bot makes it when it starts." in lines
    assert list(tmp_path.iterdir()) == [], "nothing is made on disk"


def test_unusable_art_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "odd.svg").write_text("<svg/>")
    monkeypatch.setattr(content, "DATA", tmp_path)
    ended = run_command("check")
    assert (ended.code, ended.err) == (1, "Problem: odd.svg does not say how wide and how high it is.\n")


@each_case("part", ["text_mask_of", "ArtFile.draw"])
def test_a_library_that_cannot_draw_is_a_problem(monkeypatch: pytest.MonkeyPatch, part: str) -> None:
    def fail(*_: object) -> NoReturn:
        raise OSError("no such library")

    with monkeypatch.context() as patch:
        patch.setattr(f"bot.pictures.symbols.{part}", fail)
        ended = run_command("check")
    problem = "Problem: pictures can't be drawn: OSError('no such library')\n"
    assert (ended.code, ended.err) == (1, problem)
    assert "Pictures: drawn" not in ended.out


def test_a_token_is_accepted_and_the_last_live_check_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    (report := Settings().live_check_report).parent.mkdir()
    report.write_text("Parlour 1.0.0: 13 checks passed.\n\nok\n")
    monkeypatch.setenv("DISCORD_TOKEN", TOKEN)
    ended = run_command("check")
    assert ended.code == 0
    assert "Live check: Parlour 1.0.0: 13 checks passed.\n" in ended.out
    assert "DISCORD_TOKEN" not in ended.out
    assert "secret" not in ended.out + ended.err


@pytest.mark.parametrize("address", ["mysql://robin:very-secret-part@db/x", "sqlite+aiosqlite:///:memory:"])
def test_wrong_settings_are_named_without_their_values(monkeypatch: pytest.MonkeyPatch, address: str) -> None:
    wrong = {
        "DATABASE_URL": (address, "must begin with sqlite+aiosqlite:///"),
        "DISCORD_API_URL": ("https://very-secret-part.example/api/v10", "must be an http address"),
        "DISCORD_TOKEN": ("Bot very-secret-part", "must be the bot's token"),
        "LOG_LEVEL": ("very-secret-part", "must be one of"),
        "COMPUTER_PAUSE": ("-1", "must be"),
    }
    for variable, (value, _sentence) in wrong.items():
        monkeypatch.setenv(variable, value)
    ended = run_command("check")
    assert ended.code == 1
    for variable, (_value, sentence) in wrong.items():
        assert f"Problem: {variable} {sentence}" in ended.err
    assert "very-secret-part" not in ended.out + ended.err
    assert "No problems" not in ended.out


def test_all_problems_are_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LOG_LEVEL", "loud")
    monkeypatch.setenv("DEV_GUILD_ID", "here")

    def fail() -> None:
        raise ImportError("half a game")

    monkeypatch.setattr(bot.tables.registry, "load_games", fail)
    ended = run_command("check")
    assert ended.code == 1
    problems = [line for line in ended.err.splitlines() if line.startswith("Problem: ")]
    assert len(problems) == 3
    assert "half a game" in problems[-1]


def test_commands_that_fail_to_load_are_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object) -> None:
        raise SyntaxError("half a cog")

    monkeypatch.setattr(ParlourClient, "list_commands", fail)
    ended = run_command("check")
    assert ended.code == 1
    assert "half a cog" in ended.err


def test_doubtful_settings_and_those_that_the_environment_overrides_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / ".env").write_text("BACKUP_EVERY_HOUR=24\nLOG_LEVEL=DEBUG\n")
    monkeypatch.setenv("LOG_LEVEL", "INFO")
    ended = run_command("check")
    assert ended.err == "Warning: BACKUP_EVERY_HOUR in .env is no setting; is BACKUP_EVERY_HOURS meant?\n"
    assert "LOG_LEVEL of .env does not count, because the environment sets it." in ended.out
    assert ended.out.splitlines()[-1] == "No problems found. Mind the warnings above."


@each_case("command", ["check", "run", "database upgrade", "health", "stats"])
def test_an_unclosed_quote_is_reported_once(tmp_path: Path, command: str) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=INFO\nDISCORD_TOKEN='abc\n")
    ended = run_command(*command.split())
    assert ended.code == 1
    assert ended.err.removeprefix("Problem: ") == (
        "Line 2 of .env can't be read: it must look like NAME=value, with quotes closed.\n"
    )


def test_each_fault_of_the_content_is_a_problem(broken_content: tuple[str, ...]) -> None:
    ended = run_command("check")
    assert ended.code == 1
    assert ended.err.splitlines() == [f"Problem: {fault}" for fault in broken_content]


def test_missing_pages_and_tests_of_a_game_are_named(tmp_path: Path) -> None:
    games = {key: package for key, package in load_games_once().items() if key == "change"}
    (tmp_path / "tests").mkdir()
    (tmp_path / "data" / "change").mkdir(parents=True)
    found = list(find_missing(games, ("/change new", "/change roll", "/magpie new"), tmp_path))
    assert all(sentence.startswith("Change: ") for sentence in found)
    for words in (
        "Change: README.md needs a row",
        "CHANGELOG.md",
        "docs/commands.md",
        "docs/fair-dice.md needs the paragraph “For Change: the set-up",
        "docs/tables.md needs a row in each of its 2 lists",
        "data/README.md",
        "tests/games/change needs tests",
        "tests/games/change/hidden.py",
        "Change: README.md needs a picture",
        "golden picture change-resigned.png",
        "tests/ui/permissions/test_commands.py needs to say who may use /change new.",
        "tests/ui/permissions/test_commands.py needs to say who may use /change roll.",
    ):
        assert sum(words in sentence for sentence in found) == 1, words
    in_words = replace(games["change"], look=replace(games["change"].look, build_picture=None))
    assert not any("picture" in sentence for sentence in find_missing({"change": in_words}, (), tmp_path))


def test_a_page_that_only_mentions_the_game_is_incomplete(tmp_path: Path) -> None:
    games = {key: package for key, package in load_games_once().items() if key == "change"}
    (tmp_path / "tests").mkdir()
    (tmp_path / "docs").mkdir()
    for page in ("README.md", "docs/commands.md", "docs/fair-dice.md", "docs/tables.md"):
        (tmp_path / page).write_text("For Change: type /change roll.")
    found = list(find_missing(games, (), tmp_path))
    for page in ("README.md needs a row", "docs/commands.md", "docs/fair-dice.md", "docs/tables.md"):
        assert sum(page in sentence for sentence in found) == 1, page


def test_without_a_checkout_nothing_is_reported_missing(tmp_path: Path) -> None:
    assert list(find_missing(load_games_once(), (), tmp_path)) == []


@each_case(
    "missing, last",
    [
        (["Dare: README.md needs a row."], "No problems found, but 1 thing is missing."),
        (["Dare: it needs this.", "Dare: it needs that."], "No problems found, but 2 things are missing."),
    ],
)
def test_missing_pages_are_listed_and_counted_but_are_no_problem(
    monkeypatch: pytest.MonkeyPatch, missing: list[str], last: str
) -> None:
    monkeypatch.setattr(completeness, "find_missing", lambda _games, _commands: iter(missing))
    ended = run_command("check")
    assert ended.code == 0
    assert ended.out.splitlines()[-len(missing) - 1 :] == [*(f"Missing: {each}" for each in missing), last]


def test_an_unusable_game_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr("bot.games.magpie.PACKAGE")
    for command in (["check"], ["simulate", "magpie"]):
        ended = run_command(*command)
        assert ended.code == 1
        assert "bot/games/magpie/__init__.py needs a PACKAGE: a GamePackage or a GameFactory." in ended.err


def test_tables_that_computer_players_cannot_read_are_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise BrokenTables("data/fortune/race.npz can't be read.")

    monkeypatch.setattr(NpzTables, "load", fail)
    load_race.cache_clear()
    for command in (["simulate", "fortune", "--level", "strong"], ["puzzles", "fortune"]):
        ended = run_command(*command)
        assert (ended.code, ended.out) == (1, "")
        assert ended.err == "data/fortune/race.npz can't be read. `train fortune` writes it again.\n"
    ended = run_command("check")
    assert ended.code == 1
    remedy = "until `train fortune` has written it again and the bot has been restarted."
    sentence = f"Computer players only play Normal {remedy}"
    assert f"Problem: data/fortune/race.npz can't be read. {sentence}" in ended.err
