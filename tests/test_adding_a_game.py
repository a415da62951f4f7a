"""The page about adding a game, followed to the letter in a copy of the checkout."""

import re
from pathlib import Path

import pytest

from bot.commands.new_game import render_game
from bot.pictures.fonts import has_glyph
from bot.rules.screen import MAX_MENU_LINES, MAX_ROW_WIDTH, MAX_ROWS, MAX_TOKENS
from tests.support.checkout_copy import check_ended_well, copy_checkout, run_in_checkout
from tests.support.each_case import each_case

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text()
FILES = dict(re.findall(r"^\*\*`([\w/.]+)`\*\*\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
EXCERPTS = re.findall(r"^`([\w/.]+)`:\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
"""Parts of the game with hidden hands that `new-game` writes."""

COMMANDS = [
    line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) for line in block.splitlines()
]


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with the files of the page."""
    copy = copy_checkout(tmp_path_factory.mktemp("checkout"))
    for name, text in FILES.items():
        file = copy / name
        assert not file.exists(), f"{name} is there already: no other file is to be edited"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return copy


def test_the_page_has_files_and_commands() -> None:
    assert {name.split("/")[0] for name in FILES} == {"bot", "cogs", "tests"}
    assert len(re.findall(r"^```(?:python|sh)$", PAGE, re.MULTILINE)) == len(FILES) + len(EXCERPTS) + PAGE.count(
        "\n```sh\n"
    )
    assert any("pytest" in command for command in COMMANDS)


@each_case("name, text", EXCERPTS)
def test_every_excerpt_is_in_the_generated_game(name: str, text: str) -> None:
    written = render_game("duel", hidden=True)[name]
    for part in text.strip("\n").split("\n\n\n"):
        assert part in written


def test_the_page_names_the_characters_of_the_font() -> None:
    ((known, lacking),) = re.findall(r"of the signs `([^`]*)`, but none of `([^`]*)`", PAGE)
    assert all(map(has_glyph, known + "".join(map(chr, range(0x20, 0x7F)))))
    assert not any(map(has_glyph, lacking.split()))


def test_the_page_names_the_limits_of_a_screen() -> None:
    rows = dict(re.findall(r"^\| ([^|]+) \| (\d+)", PAGE, re.MULTILINE))
    assert rows["rows, each menu being one"] == str(MAX_ROWS)
    assert rows["buttons in a row"] == str(MAX_ROW_WIDTH)
    assert rows["lines of a menu"] == str(MAX_MENU_LINES)
    assert f"0 to {MAX_TOKENS - 1}" in PAGE


@pytest.mark.time_limit(130)  # a little longer than what `run_in_checkout` allows
@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_succeeds(command: str, followed: Path) -> None:
    ended = run_in_checkout(followed, command)
    check_ended_well(command, ended)
    if command == "python -m bot check":
        assert "Game: pig (Pig, 2 to 4 seats)\n" in ended.stdout
        assert {"Command: /pig new", "Command: /pig roll"} <= set(ended.stdout.splitlines())


def test_the_code_of_the_page_passes_mypy(followed: Path, is_long: bool) -> None:
    if not is_long:
        pytest.skip("type-checking everything takes a minute: only with --long")
    command = f"mypy --cache-dir {followed / '.mypy_cache'} bot/games/pig cogs/pig.py tests/games/pig"
    check_ended_well(command, run_in_checkout(followed, command, seconds=600))
