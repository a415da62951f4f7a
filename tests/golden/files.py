"""The golden files, and how the text of each is made."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Final

from tests.golden.custom_ids import custom_ids
from tests.golden.due_scenes import due_messages
from tests.golden.game_tables import tables_of_game
from tests.golden.game_words import words_of_game
from tests.golden.panel_scenes import panels
from tests.golden.refusals import refusals
from tests.golden.schema import postgres_schema, sqlite_schema
from tests.golden.showcases import texts_of_showcases
from tests.golden.slash_commands import slash_commands
from tests.golden.table_scenes import special_tables
from tests.support.games import load_games_once

FOLDER: Final = Path(__file__).parent

GOLDENS: Final[Mapping[str, Callable[[], str]]] = {
    "custom_ids.txt": custom_ids,
    "messages_due.txt": due_messages,
    "messages_panels.txt": panels,
    "messages_tables.txt": special_tables,
    "refusals.txt": refusals,
    "schema_postgres.txt": postgres_schema,
    "schema_sqlite.txt": sqlite_schema,
    "slash_commands.txt": slash_commands,
    **{f"messages_{key}.txt": partial(tables_of_game, key) for key in load_games_once()},
    **{f"words_{key}.txt": partial(words_of_game, key) for key in load_games_once()},
    **{f"showcases_{key}.txt": partial(texts_of_showcases, key) for key in load_games_once()},
}
"""The function that makes the text of each file."""


def existing_files() -> set[str]:
    """Return the names of the golden files that are there."""
    return {file.name for file in FOLDER.iterdir() if file.suffix in (".txt", ".json")}


def read(name: str) -> str:
    """Return the text of a golden file, or nothing if it is missing."""
    file = FOLDER / name
    return file.read_text(encoding="utf-8") if file.exists() else ""
