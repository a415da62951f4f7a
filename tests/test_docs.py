"""The docs name settings, commands, files and code that exist."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from pydantic import SecretStr
from typer.main import get_command

from bot.app.bootstrap import build_client
from bot.commands.app import app
from bot.rules.game import GameInfo
from bot.settings import Settings
from bot.tools.figures import MOST_WORDS, count_words
from tests.support.each_case import each_case
from tests.support.games import load_games_once
from tests.support.memory_database import MemoryDatabase

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
# The changelog names removed code, and the page about adding a game future code; that page has its own test.
PAGES = sorted({*ROOT.glob("*.md"), *DOCS.rglob("*.md")} - {ROOT / "CHANGELOG.md", DOCS / "adding-a-game.md"})
PLACES = ("bot", "cogs", "data", "docs", "tests", "requirements")
FOREIGN_NAMES = {
    "dns_sd_configs",
    "rule_files",
    "synchronous_mode",
}
"""Names that the docs mention although the code does not use them."""


def quoted_code(page: Path) -> Iterator[str]:
    """Yield the code in single backticks outside fenced blocks."""
    text = re.sub(r"^ *```.*?^ *```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    yield from re.findall(r"`([^`\n]+)`", text)


@cache
def code_words() -> frozenset[str]:
    files = [file for place in ("bot", "cogs", "tests") for file in (ROOT / place).rglob("*.py")]
    files += [ROOT / "pyproject.toml", ROOT / "Dockerfile"]
    files.remove(Path(__file__))
    return frozenset(word for file in files for word in re.findall(r"\w+", file.read_text(encoding="utf-8")))


def is_name(word: str) -> bool:
    """Tell snake_case, CamelCase and dotted words from prose, numbers and capitals."""
    return bool(re.fullmatch(r"[a-z]+(_[a-z]+)+|([A-Z][a-z]+){2,}", word))


def names_in(code: str) -> list[str]:
    if "/" in code or "=" in code:
        return []
    if re.fullmatch(r"[A-Z][a-z]+|\w+\.\w+(\(\))?", code):
        return re.findall(r"\w+", code)
    return [word for word in re.findall(r"\w+", code) if is_name(word)]


@each_case("info", [package.game.info for package in load_games_once().values()])
def test_the_page_of_commands_names_every_option_of_a_game(info: GameInfo[Any]) -> None:
    lines = (DOCS / "commands.md").read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in lines if line.startswith(f"- `/{info.command} new` ")]
    assert re.findall(r"`(\w+)`", row) == list(info.options.model_fields), row


@each_case("page", PAGES)
def test_every_path_in_backticks_exists(page: Path) -> None:
    named = {code.rstrip("/") for code in quoted_code(page) if re.fullmatch(rf"({'|'.join(PLACES)})/[\w./-]+", code)}
    named |= {code for code in quoted_code(page) if re.fullmatch(r"[\w./-]+/[\w.-]+\.(py|md|toml|txt)", code)}
    assert not sorted(path for path in named if not (ROOT / path).exists())


@each_case("page", PAGES)
def test_every_name_in_backticks_is_in_the_code(page: Path) -> None:
    named = {name for code in quoted_code(page) for name in names_in(code) if not name.startswith("parlour_")}
    assert not sorted(named - code_words() - FOREIGN_NAMES)


def test_the_tree_of_the_architecture_page_shows_every_package() -> None:
    page = (DOCS / "architecture.md").read_text(encoding="utf-8")
    _, tree, _ = page.split("```", 2)
    parents: dict[int, str] = {}
    shown: set[str] = set()
    for indent, name in re.findall(r"^( *)([\w./]+)(?: |$)", tree, re.MULTILINE):
        parent = parents[len(indent) - 2] if indent else ""
        parents[len(indent)] = parent + name
        shown.add((parent + name).rstrip("/"))
    assert not sorted(name for name in shown if not (ROOT / name).exists())
    packages = {str(file.parent.relative_to(ROOT)) for file in (ROOT / "bot").rglob("__init__.py")}
    assert not sorted(name for name in packages - shown if not name.startswith("bot/games/"))


def written_default(value: object) -> str:
    """Return a default as the page about settings writes it."""
    if isinstance(value, SecretStr):
        value = value.get_secret_value()
    return ("on" if value else "off") if isinstance(value, bool) else str(value)


def test_the_configuration_page_lists_the_settings_with_their_defaults() -> None:
    page = (DOCS / "configuration.md").read_text(encoding="utf-8")
    rows = {row[0]: row[-1] for row in re.findall(r"^\| `([A-Z_]+)` \| (.+) \| (.+) \|$", page, re.MULTILINE)}
    example = re.findall(r"^([A-Z_]+)=", (ROOT / ".env.example").read_text(encoding="utf-8"), re.MULTILINE)
    assert list(rows) == example == [name.upper() for name in Settings.model_fields]
    for name, field in Settings.model_fields.items():
        described = rows[name.upper()]
        assert "`" not in described if field.default is None else described == f"`{written_default(field.default)}`"


async def test_the_command_reference_lists_every_slash_command() -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    listed = re.findall(r"^- `(/[a-z-]+(?: [a-z-]+)?)(?: [a-z]+:)*` ", page, re.MULTILINE)
    assert sorted(listed) == sorted(await build_client(MemoryDatabase(), load_games_once()).list_commands())


def leaf_commands(command: Any, path: str = "") -> dict[str, Any]:
    """Return every command that does something, by the words it is called with."""
    if not hasattr(command, "commands"):
        return {path.strip(): command}
    return {k: v for name, child in command.commands.items() for k, v in leaf_commands(child, f"{path} {name}").items()}


def test_the_command_line_reference_lists_every_command_with_its_options() -> None:
    page = (DOCS / "commands.md").read_text(encoding="utf-8")
    rows = re.findall(r"^- `([a-z][^`]*)` ", page, re.MULTILINE)
    listed = {" ".join(re.findall(r"^[a-z-]+(?: [a-z-]+)*", row)): set(re.findall(r"--[a-z-]+", row)) for row in rows}
    assert listed == {
        name: {option for each in command.params for option in each.opts if option.startswith("--")}
        for name, command in leaf_commands(get_command(app)).items()
    }


def test_the_pages_stay_short() -> None:
    assert count_words() <= MOST_WORDS
    assert len((ROOT / "README.md").read_text(encoding="utf-8").splitlines()) <= 110
