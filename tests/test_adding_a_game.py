"""The page about adding a game, followed to the letter in a copy of the checkout."""

import re
import shutil
from collections import ChainMap
from itertools import count
from pathlib import Path

import pytest

from bot.tools.new_game import command_of_golden_files, command_of_tests, render_game
from tests.support.checkout_copy import check_ended_well, copy_checkout, run_in_checkout
from tests.support.each_case import each_case

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text()
FILES = dict(re.findall(r"^\*\*`([\w/.]+)`\*\*\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
EXCERPTS = re.findall(r"^`([\w/.]+)`:\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
"""Parts of the games that `new-game` writes."""

COMMANDS = [
    line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) for line in block.splitlines()
]
CHECK = "python -m bot check"
NEW_GAMES = [command for command in COMMANDS if " new-game " in command]

GENERATED = {"dare": False, "duel": True}
"""The keys of the games that the page generates, and whether they have hidden hands."""

FOLDERS = "cogs/dare.py " + " ".join(f"bot/games/{key} tests/games/{key} tests/e2e/test_{key}.py" for key in GENERATED)
GENERATED_COMMANDS = (
    f"ruff check {FOLDERS}",
    f"ruff format --check {FOLDERS}",
)
"""What a new game passes besides the page's commands that look at all games."""


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with the games that the page has made and the files of the page."""
    copy = copy_checkout(tmp_path_factory.mktemp("checkout"))
    # Whoever follows the page has them already.
    for key in GENERATED:
        for folder in (f"bot/games/{key}", f"tests/games/{key}"):
            shutil.rmtree(copy / folder, ignore_errors=True)
        for file in (f"cogs/{key}.py", f"tests/e2e/test_{key}.py"):
            (copy / file).unlink(missing_ok=True)
    for command, (key, is_hidden) in zip(NEW_GAMES, GENERATED.items(), strict=True):
        ended = run_in_checkout(copy, command)
        assert (ended.returncode, ended.stderr) == (0, "")
        assert set(render_game(key, hidden=is_hidden)) <= set(ended.stdout.splitlines())
        assert f"`{command_of_golden_files(key)}`" in ended.stdout
    for name, text in FILES.items():
        file = copy / name
        assert not file.exists(), f"{name} is there already: no other file is to be edited"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return copy


def test_the_page_has_files_and_commands() -> None:
    assert {name.split("/")[0] for name in FILES} == {"bot", "tests"}
    assert len(re.findall(r"^```(?:python|sh)$", PAGE, re.MULTILINE)) == len(FILES) + len(EXCERPTS) + PAGE.count(
        "\n```sh\n"
    )
    assert any("pytest" in command for command in COMMANDS)


@each_case("name, text", EXCERPTS)
def test_every_excerpt_is_in_a_generated_game(name: str, text: str) -> None:
    written = ChainMap(*(render_game(key, hidden=is_hidden) for key, is_hidden in GENERATED.items()))
    for part in text.strip("\n").split("\n\n\n"):
        assert part in written[name]


def test_the_page_runs_the_tests_that_a_new_game_names() -> None:
    keys = " or ".join(GENERATED)
    assert f'{command_of_tests("KEY").replace("KEY", "")}"{keys}"' in COMMANDS


# A key that is chosen as on the page must not select these tests, so their names have numbers.
@pytest.mark.parametrize(
    "command", [each for each in COMMANDS if each not in (*NEW_GAMES, CHECK)], ids=map(str, count())
)
def test_every_command_of_the_page_succeeds(command: str, followed: Path) -> None:
    check_ended_well(command, run_in_checkout(followed, command))


@pytest.mark.parametrize("command", GENERATED_COMMANDS, ids=map(str, count()))
def test_a_generated_game_passes_every_check(command: str, followed: Path) -> None:
    check_ended_well(command, run_in_checkout(followed, command))


def test_the_page_ends_with_a_check_that_lists_the_games_and_what_they_lack(followed: Path) -> None:
    assert COMMANDS[-1] == CHECK
    ended = run_in_checkout(followed, CHECK)
    assert (ended.returncode, ended.stderr) == (0, "")
    lines = ended.stdout.splitlines()
    missing = [line for line in lines if line.startswith("Missing: ")]
    assert lines[-1] == f"No problems found, but {len(missing)} things are missing."
    for title in ("Dare", "Duel"):
        assert f"Game: {title.lower()} ({title}, 2 to 4 seats)" in lines
        assert f"Missing: {title}: README.md needs a row in the list of games." in missing
    for command in ("dare new", "dare roll", "dare stop", "duel new"):
        assert sum(line.endswith(f"needs to say who may use /{command}.") for line in missing) == 1
    assert {"Command: /dare new", "Command: /dare roll", "Command: /duel new"} <= set(lines)


@pytest.mark.long
def test_the_code_of_the_page_and_of_generated_games_passes_mypy(followed: Path) -> None:
    command = f"mypy {FOLDERS}"
    check_ended_well(command, run_in_checkout(followed, command, seconds=600))
