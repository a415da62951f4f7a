"""The folders of releases, and how that of the next one is written."""

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sqlalchemy import create_engine

from bot import __version__
from bot.app.databases import SCHEMA
from bot.features.fairness.verification import make_record
from bot.platform.database.database import open_database
from bot.tables import storage as table_storage
from bot.tables.model import Status
from tests.golden.files import custom_ids
from tests.golden.scene import set_scene
from tests.releases.scenario import CHANNELS, play_release
from tests.support.games import load_games_once

FOLDER: Final = Path(__file__).parent
RELEASES: Final = sorted(
    (file.parent.name for file in FOLDER.glob("*/database.sql")), key=lambda name: [*map(int, name.split("."))]
)
"""From the oldest to the newest."""

_CHECK_SECONDS: Final = 0.03
_SELECT_SCHEMA: Final = """
    SELECT sql FROM sqlite_master WHERE sql NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, name
"""


def write_next_release() -> Path:
    """Write the folder of the release that is being developed, and return it.

    Raises:
        ValueError: The release is out: what it has written stays as it is.
    """
    version, _, number_of_development = __version__.partition(".dev")
    if not number_of_development:
        raise ValueError(f"{version} is released")
    folder = FOLDER / version
    folder.mkdir(exist_ok=True)
    (folder / "custom_ids.txt").write_text(custom_ids(), encoding="utf-8")
    (folder / "schema.sql").write_text(used_schema(), encoding="utf-8")
    with TemporaryDirectory() as scratch:
        file = Path(scratch) / "parlour.sqlite3"
        asyncio.run(_play(file))
        with closing(sqlite3.connect(file)) as connection:
            dump = "".join(f"{line}\n" for line in connection.iterdump())
        (folder / "database.sql").write_text(dump, encoding="utf-8")
        for game, record in asyncio.run(_records(file)):
            (folder / f"record_{game}.json").write_text(record, encoding="utf-8")
    return folder


def restore(release: str, file: Path) -> Path:
    """Make the database of a release in a file, and return the file."""
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((FOLDER / release / "database.sql").read_text(encoding="utf-8"))
    return file


def schema_version(release: str) -> str:
    """Return the version of the schema that a release has left."""
    dump = (FOLDER / release / "database.sql").read_text(encoding="utf-8")
    found = re.search(r"""INSERT INTO "?alembic_version"? VALUES\('(.+)'\)""", dump)
    assert found is not None
    return found[1]


def used_schema() -> str:
    """Return the statements that create what the code uses, which may be less than what the migrations have left."""
    with closing(sqlite3.connect(":memory:")) as connection:
        SCHEMA.create_all(create_engine("sqlite://", creator=lambda: connection))
        # Tables come before their indexes.
        rows = connection.execute(_SELECT_SCHEMA)
        return "".join(f"{statement.strip()};\n" for (statement,) in rows)


async def _play(file: Path) -> None:
    async with set_scene(file, _CHECK_SECONDS, channels=CHANNELS, dice_are_steady=False) as scene:
        await play_release(scene)


async def _records(file: Path) -> list[tuple[str, str]]:
    """Return a finished game of people as a file of each game."""
    db, games, found = open_database(f"sqlite+aiosqlite:///{file}"), load_games_once(), dict[str, str]()
    for table_id in range(len(games), 0, -1):
        stored = await db.read(table_storage.load, table_id)
        assert stored is not None
        assert stored.header.status is Status.FINISHED
        found[stored.header.game] = str(make_record(stored, games[stored.header.game]))
    await db.close()
    assert found.keys() == games.keys()
    return sorted(found.items())
