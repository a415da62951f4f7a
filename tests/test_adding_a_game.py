"""The page about adding a game, followed to the letter in a copy of the checkout."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text()
FILES = dict(re.findall(r"^\*\*`([\w/.]+)`\*\*\n\n```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))
COMMANDS = [
    line for block in re.findall(r"^```sh\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL) for line in block.splitlines()
]
COPIED = ("bot", "cogs", "data", "tests", "pyproject.toml")


@pytest.fixture(scope="module")
def followed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the checkout with the files of the page."""
    copy = tmp_path_factory.mktemp("checkout")
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy)
    for name, text in FILES.items():
        file = copy / name
        assert not file.exists(), f"{name} is there already: no other file is to be edited"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
    return copy


def find_program(word: str) -> list[str]:
    """Run what is installed beside this Python, whatever the PATH says."""
    return [sys.executable] if word == "python" else [str(Path(sys.executable).with_name(word))]


def test_the_page_has_files_and_commands() -> None:
    assert {name.split("/")[0] for name in FILES} == {"bot", "cogs", "tests"}
    assert len(re.findall(r"^```(?:python|sh)$", PAGE, re.MULTILINE)) == len(FILES) + PAGE.count("\n```sh\n")
    assert any("pytest" in command for command in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_of_the_page_ends_well(command: str, followed: Path) -> None:
    first, *words = command.split()
    ended = subprocess.run(
        [*find_program(first), *words], cwd=followed, capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stdout[-3000:] + ended.stderr[-3000:]
    if "pytest" in words:
        assert re.search(r"\b[1-9]\d* passed\b", ended.stdout)
        assert "skipped" not in ended.stdout
    if first == "lint-imports":
        assert "0 broken" in ended.stdout
    if command == "python -m bot check":
        assert "Game: pig (Pig, 2 to 4 seats)\n" in ended.stdout
        assert {"Command: /pig new", "Command: /pig roll"} <= set(ended.stdout.splitlines())


def test_the_types_of_the_page_are_right(followed: Path, is_long: bool) -> None:
    if not is_long:
        pytest.skip("checking all types anew takes a minute: only with --long")
    words = [
        "-m",
        "mypy",
        "--cache-dir",
        str(followed / ".mypy_cache"),
        "bot/games/pig",
        "cogs/pig.py",
        "tests/games/pig",
    ]
    ended = subprocess.run([sys.executable, *words], cwd=followed, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stdout
