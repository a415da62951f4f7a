"""`new-game` writes well-formed files for any key that is free; `tests/test_adding_a_game.py` plays such games."""

import shutil
from pathlib import Path

import pytest

from bot.tools import new_game
from bot.tools.new_game import MAX_KEY_LENGTH, render_game
from tests.commands.run_command import run_command
from tests.support.checkout_copy import ROOT, check_ended_well, run_in_checkout
from tests.support.each_case import each_case


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
    """A root with a game and a feature: if a key is wrongly accepted, its files are not written into the checkout."""
    for folder in ("bot/games/magpie", "bot/features/help", "cogs", "tests"):
        (tmp_path / folder).mkdir(parents=True)
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


@pytest.mark.parametrize(("key", "found"), [("magpie", "bot/games/magpie"), ("help", "bot/features/help")])
def test_a_key_that_is_taken_is_refused(key: str, found: str, temporary_root: Path) -> None:
    before = sorted(temporary_root.rglob("*"))
    ended = run_command("new-game", key, "--hidden")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"There is already something called {key}: {found}. Choose another key.\n"
    assert sorted(temporary_root.rglob("*")) == before
