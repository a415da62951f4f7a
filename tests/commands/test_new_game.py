"""`new-game` writes a game that can be played at once and passes every check."""

import shutil
from pathlib import Path

import pytest

from bot.commands import new_game
from bot.commands.new_game import MAX_KEY_LENGTH, render_game
from tests.commands.run_command import run_command
from tests.support.checkout_copy import ROOT, check_ended_well, copy_checkout, run_in_checkout
from tests.support.each_case import each_case

GAMES = {"dare": False, "low_card": True}
"""The keys of the games that are made, and whether they have hidden hands."""

FOLDERS = "cogs/dare.py " + " ".join(f"bot/games/{key} tests/games/{key} tests/e2e/test_{key}.py" for key in GAMES)
TESTS = " ".join(
    (
        *sorted(str(file.relative_to(ROOT)) for file in (ROOT / "tests" / "games").glob("test_*.py")),
        *(f"tests/games/{key} tests/e2e/test_{key}.py" for key in GAMES),
    )
)
"""The tests of all games, and the new games' own."""

COMMANDS = (
    f"ruff check {FOLDERS}",
    f"ruff format --check {FOLDERS}",
    "lint-imports",
    f"python -m pytest {TESTS} -k 'dare or low_card'",
    "python -m bot simulate low_card --games 20 --seats 4 --level normal",
)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with both kinds of new games."""
    copy = copy_checkout(tmp_path_factory.mktemp("checkout"))
    for key, is_hidden in GAMES.items():
        ended = run_in_checkout(copy, f"python -m bot new-game {key}{' --hidden' * is_hidden}")
        assert (ended.returncode, ended.stderr) == (0, "")
        assert set(render_game(key, hidden=is_hidden)) <= set(ended.stdout.splitlines())
    return copy


@pytest.mark.time_limit(130)  # a little longer than what `run_in_checkout` allows
@pytest.mark.parametrize("command", COMMANDS)
def test_a_new_game_passes_every_check(command: str, checkout: Path) -> None:
    check_ended_well(command, run_in_checkout(checkout, command))


def test_check_lists_the_games_and_their_missing_pages(checkout: Path) -> None:
    ended = run_in_checkout(checkout, "python -m bot check")
    assert ended.returncode == 0, ended.stderr
    lines = ended.stdout.splitlines()
    assert {"Game: dare (Dare, 2 to 4 seats)", "Game: low_card (Low Card, 2 to 4 seats)"} <= set(lines)
    assert {"Command: /dare roll", "Command: /low-card new"} <= set(lines)
    missing = [line for line in lines if line.startswith("Missing: ")]
    assert "Missing: Dare: README.md needs a row in the list of games." in missing
    assert {line.split(": ")[1] for line in missing} >= {"Dare", "Low Card"}


def test_types_are_right(checkout: Path, is_long: bool) -> None:
    if not is_long:
        pytest.skip("type-checking everything takes a minute: only with --long")
    command = f"mypy --cache-dir {checkout / '.mypy_cache'} {FOLDERS}"
    check_ended_well(command, run_in_checkout(checkout, command, seconds=600))


@pytest.mark.parametrize("is_hidden", [False, True])
@pytest.mark.parametrize("key", ["q", "x" * MAX_KEY_LENGTH, "a_b_c_d_e_f_g_h_i_j_k_l"])
def test_the_files_are_formatted_for_any_key(key: str, is_hidden: bool, tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    for name, text in render_game(key, hidden=is_hidden).items():
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    for command in ("ruff format --check", "ruff check --extend-ignore INP001"):
        check_ended_well(command, run_in_checkout(tmp_path, command))


@pytest.fixture
def temporary_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A root with one game and one cog: if a key is wrongly accepted, its files are not written into the checkout."""
    for folder in ("bot/games/magpie", "cogs", "tests"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "cogs" / "help.py").touch()
    monkeypatch.setattr(new_game, "ROOT", tmp_path)
    return tmp_path


@each_case("key", ["Chess", "liar's", "2048", "two__words", "_", "class", "x" * 25, "a-b", "", "../x"])
def test_a_key_that_is_no_identifier_is_refused(key: str, temporary_root: Path) -> None:
    before = sorted(temporary_root.rglob("*"))
    ended = run_command("new-game", key)
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.startswith(f"{key!r} can't be the key of a game: ")
    assert sorted(temporary_root.rglob("*")) == before


def test_a_root_without_tests_is_refused(temporary_root: Path) -> None:
    (temporary_root / "tests").rmdir()
    ended = run_command("new-game", "dare")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"{temporary_root} is not a checkout of the project: it has no tests.\n"


@pytest.mark.parametrize(("key", "found"), [("magpie", "bot/games/magpie"), ("help", "cogs/help.py")])
def test_a_key_that_is_taken_is_refused(key: str, found: str, temporary_root: Path) -> None:
    before = sorted(temporary_root.rglob("*"))
    ended = run_command("new-game", key, "--hidden")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"There is already something called {key}: {found}. Choose another key.\n"
    assert sorted(temporary_root.rglob("*")) == before
