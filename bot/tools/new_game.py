"""`new-game`: writes the folder and tests of a small playable game, and a cog if it has commands of its own."""

import keyword
import re
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from bot.commands.console import fail

ROOT = Path(__file__).parents[2]
TEMPLATES = Path(__file__).parent / "game_templates"

KEY_PATTERN = re.compile("[a-z]+(_[a-z]+)*")
MAX_KEY_LENGTH = 24


def new_game(
    key: Annotated[str, typer.Argument(help="The key of the game, such as liars_dice.")],
    *,
    hidden: Annotated[bool, typer.Option(help="Give each seat a hidden hand.")] = False,
) -> None:
    """Write a small playable game with tests as a starting point."""
    files = render_game(key, hidden=hidden)
    if fault := _find_fault(key, files):
        fail(fault)
    for name, text in files.items():
        file = ROOT / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        typer.echo(name)
    typer.echo(f"Write down what people see of it, now and once its rules are yours: `{command_of_golden_files(key)}`.")
    typer.echo(f"Play it with `make demo`: /{_command_of(key)} new. Test it with `{command_of_tests(key)}`.")
    typer.echo("docs/adding-a-game.md explains each file; `python -m bot check` lists what is missing.")


def command_of_tests(key: str) -> str:
    """Return the command that runs the tests of a game: its own, the contract, and what people see of it."""
    return f"python -m pytest tests/games tests/golden tests/e2e -k {key}"


def command_of_golden_files(key: str) -> str:
    """Return the command that writes down what people see of a game, which tests compare."""
    return f"python -m tests.golden --game {key}"


def render_game(key: str, *, hidden: bool) -> dict[str, str]:
    """Return the files of a new game by their paths in the checkout."""
    folder = TEMPLATES / ("hidden" if hidden else "open")
    title = key.replace("_", " ").title()
    names = {"key": key, "Name": title.replace(" ", ""), "title": title, "command": _command_of(key)}
    return {
        file.relative_to(folder).as_posix().replace("KEY", key).removesuffix(".txt"): Template(
            file.read_text(encoding="utf-8")
        ).substitute(names)
        for file in sorted(folder.rglob("*.txt"))
    }


def _command_of(key: str) -> str:
    return key.replace("_", "-")


def _find_fault(key: str, files: dict[str, str]) -> str | None:
    """Return why a key can't be used, or None."""
    if not KEY_PATTERN.fullmatch(key) or keyword.iskeyword(key) or len(key) > MAX_KEY_LENGTH:
        return (
            f"{key!r} can't be the key of a game: use lower-case letters with single underscores between words, "
            f"such as liars_dice, at most {MAX_KEY_LENGTH} characters, and no keyword of Python."
        )
    if not (ROOT / "tests").is_dir():
        return f"{ROOT} is not a checkout of the project: it has no tests."
    taken = [
        name
        for name in (f"bot/games/{key}", f"cogs/{key}.py", f"bot/features/{key}", f"tests/games/{key}", *files)
        if (ROOT / name).exists()
    ]
    return f"There is already something called {key}: {taken[0]}. Choose another key." if taken else None
