"""The golden files, and how the text of each is made."""

import asyncio
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from sqlalchemy import Dialect, Table, make_url
from sqlalchemy.schema import CreateIndex, CreateTable

from bot.app.databases import SCHEMA
from bot.features.fairness.records import RECORD_ERROR_MESSAGES
from bot.sandbox.model.application import BRANCH_TYPES, OptionType
from bot.sandbox.wire import Json
from bot.tables.handlers import error_replies as general
from bot.tables.handlers.answers import TABLE_SAVED, THREAD_ARCHIVED
from tests.golden.due_scenes import due_messages
from tests.golden.game_tables import tables_of_game
from tests.golden.game_words import words_of_game
from tests.golden.limits import limits
from tests.golden.message_text import rest_of
from tests.golden.panel_scenes import panels
from tests.golden.records import records_of_game
from tests.golden.renderings import renderings
from tests.golden.scene import Scene, play_scenes
from tests.golden.showcases import texts_of_positions, texts_of_showcases
from tests.golden.table_scenes import special_tables
from tests.support.apps import shared_app
from tests.support.games import load_games_once
from tests.support.named_positions import named_positions
from tests.ui.refused import raise_all
from tests.ui.test_custom_ids import IDS


def custom_ids() -> str:
    """Return examples of every kind of custom id, sorted."""
    return "".join(f"{line}\n" for line in sorted(map(str, IDS)))


def sqlite_schema() -> str:
    """Return the schema of SQLite."""
    return _describe(make_url("sqlite://").get_dialect()())


def postgres_schema() -> str:
    """Return the schema of PostgreSQL."""
    return _describe(make_url("postgresql+psycopg://").get_dialect()())


def _describe(dialect: Dialect) -> str:
    tables = sorted(SCHEMA.tables.values(), key=lambda table: table.name)
    return "\n".join("".join(f"{line}\n" for line in _describe_table(table, dialect)) for table in tables)


def _describe_table(table: Table, dialect: Dialect) -> Iterator[str]:
    """Yield the parts of the table's DDL, and its indexes."""
    head, _, rest = str(CreateTable(table).compile(dialect=dialect)).strip().partition("(\n")
    body, _, options = rest.rpartition("\n)")
    yield head.strip()
    yield from sorted(f"    {line.strip().removesuffix(',')}" for line in body.splitlines())
    if options.strip():
        yield f"    {options.strip()}"
    yield from sorted(f"    {CreateIndex(index).compile(dialect=dialect)}" for index in table.indexes)


FAULTS = (
    *(general.UNEXPECTED, TABLE_SAVED, THREAD_ARCHIVED, general.SAVED, general.OUTDATED, general.BEGUN),
    *(general.STORE_UNAVAILABLE, general.OUTCOME_UNKNOWN),
)


def refusals() -> str:
    """Return every sentence, sorted."""
    of_games = {
        sentence for package in load_games_once().values() for sentence in package.words.error_messages.values()
    }
    found = {*(set(shared_app().refusals.values()) - of_games), *RECORD_ERROR_MESSAGES.values(), *FAULTS}
    return "".join(f"{sentence}\n" for sentence in sorted(found))


def raised_refusals() -> str:
    """Return every sentence of the host and of Magpie with the facts of a refusal, sorted."""
    return "".join(f"{line}\n" for line in sorted(asyncio.run(_explain_refusals())))


async def _explain_refusals() -> list[str]:
    explain = shared_app().error_replies.explain
    # Whether a message has been posted by then is a matter of luck.
    return [re.sub(r"(/channels/\d+/\d+)/\d+", r"\1", explain(each)) async for each in raise_all()]


_SHOWN = {"name", "description", "options", "type", "required", "id", "application_id", "version", "guild_id"}


def slash_commands() -> str:
    """Return a paragraph for each command."""
    return play_scenes(_list)


async def _list(scene: Scene) -> None:
    listed = scene.parlour.sandbox.world.commands_in(scene.here, scene.parlour.robin.user)
    for command in sorted(map(_in_english, listed), key=lambda each: str(each["name"])):
        scene.notes.append("".join(f"{line}\n" for line in _lines_of(command, "/")))


def _in_english(node: Json) -> Json:
    """Return a command, an option or a choice without its translations, which change with every catalogue."""
    parts = {name: list(map(_in_english, node[name])) for name in ("options", "choices") if name in node}
    return {name: value for name, value in node.items() if not name.endswith("_localizations")} | parts


def _lines_of(node: Json, start: str) -> Iterator[str]:
    yield f"{start}{node['name']}: {node['description']} {rest_of(node, _SHOWN)}".rstrip()
    for option in node.get("options", ()):
        if option["type"] in BRANCH_TYPES:
            yield from _lines_of(option, f"{start}{node['name']} ")
        else:
            kind = f"{OptionType(option['type']).name.lower()}{', required' * bool(option.get('required'))}"
            yield f"    {option['name']} ({kind}): {option['description']} {rest_of(option, _SHOWN)}".rstrip()


FOLDER: Final = Path(__file__).parent

GOLDENS: Final[Mapping[str, Callable[[], str]]] = {
    "custom_ids.txt": custom_ids,
    "limits.txt": limits,
    "messages_due.txt": due_messages,
    "messages_panels.txt": panels,
    "messages_rendered.txt": renderings,
    "messages_tables.txt": special_tables,
    "refusals.txt": refusals,
    "refusals_raised.txt": raised_refusals,
    "schema_postgres.txt": postgres_schema,
    "schema_sqlite.txt": sqlite_schema,
    "slash_commands.txt": slash_commands,
    **{f"messages_{key}.txt": partial(tables_of_game, key) for key in load_games_once()},
    **{f"words_{key}.txt": partial(words_of_game, key) for key in load_games_once()},
    **{f"showcases_{key}.txt": partial(texts_of_showcases, key) for key in load_games_once()},
    **{f"positions_{key}.txt": partial(texts_of_positions, key) for key in load_games_once() if named_positions(key)},
    **{f"records_{key}.txt": partial(records_of_game, key) for key in load_games_once()},
}
"""The function that makes the text of each file."""


def existing_files() -> set[str]:
    """Return the names of the golden files that are there."""
    return {file.name for file in FOLDER.iterdir() if file.suffix in (".txt", ".json")}


def read(name: str) -> str:
    """Return the text of a golden file, or nothing if it is missing."""
    file = FOLDER / name
    return file.read_text(encoding="utf-8") if file.exists() else ""
