"""The page about adding a game, followed to the letter in a copy of the checkout."""

import re
from pathlib import Path

import pytest

from tests.support.checkout_copy import check_ended_well, copy_checkout, run_in_checkout

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text()
FILES = dict(re.findall(r"^\*\*`([\w/.]+)`\*\*\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
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
    assert len(re.findall(r"^```(?:python|sh)$", PAGE, re.MULTILINE)) == len(FILES) + PAGE.count("\n```sh\n")
    assert any("pytest" in command for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_ends_well(command: str, followed: Path) -> None:
    ended = run_in_checkout(followed, command)
    check_ended_well(command, ended)
    if command == "python -m bot check":
        assert "Game: pig (Pig, 2 to 4 seats)\n" in ended.stdout
        assert {"Command: /pig new", "Command: /pig roll"} <= set(ended.stdout.splitlines())


def test_the_types_of_the_page_are_right(followed: Path, is_long: bool) -> None:
    if not is_long:
        pytest.skip("checking all types anew takes a minute: only with --long")
    command = f"mypy --cache-dir {followed / '.mypy_cache'} bot/games/pig cogs/pig.py tests/games/pig"
    check_ended_well(command, run_in_checkout(followed, command, seconds=600))
