"""Imports an SQLite file into another database."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, Select, Table, delete, func, insert, literal, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError, IntegrityError

from bot.app.schema import metadata
from bot.features.daily_bag.service import COMMIT_KIND, PUBLISH_KIND
from bot.features.daily_bag.storage import daily_bags
from bot.features.privacy.retention import RETENTION
from bot.features.seasons.service import SEASON_JOB
from bot.platform.database.backup import BACKUP
from bot.platform.database.database import LOCK_SECONDS, SELECT_SCHEMA_VERSION, Database
from bot.platform.database.sqlite import BEGIN_READING, READER_PRAGMAS, make_engine
from bot.platform.jobs.shard_storage import alive, identifies, shard_leases
from bot.platform.jobs.storage import downtimes, jobs, notes
from bot.tables.compaction import COMPACTION
from bot.tables.schema import tables

ROWS_PER_CHUNK: Final = 1000

MADE_BY_STARTS: Final = (alive, daily_bags, downtimes, identifies, jobs, notes, shard_leases)
"""What the bot writes when it starts, before anyone has done anything; the file has its own."""

KINDS_OF_STARTS: Final = (BACKUP, COMMIT_KIND, COMPACTION, PUBLISH_KIND, RETENTION, SEASON_JOB)
"""The jobs among that."""

REGISTERED: Final = "commands of "
"""The beginning of the notes on which commands were registered with Discord: that may have changed since the file."""

_NAMED: Final = 3
"""How many names of what is in the way are told."""

# PostgreSQL must not assign the imported ids again; SQLite takes care of that itself.
RESET_ID_SEQUENCES: Final = tuple(
    text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))")  # noqa: S608 - constants
    for name in ("tables", "boards")
)


class CannotImport(Exception):
    """The file can't be imported; the message says why."""


async def import_sqlite_file(database: Database, file: Path) -> int:
    """Copy an SQLite file into a database, in place of what a start of the bot has written there.

    Returns:
        The number of tables (games) imported.

    Raises:
        CannotImport: The database holds more than that, or the file can't be read or has another schema version.
            Nothing is copied.
    """
    return await database.run_exclusively(lambda connection: _import_tables(connection, file))


def _import_tables(target: Connection, file: Path) -> int:
    _require_new(target)
    with _open_file(file) as source:
        if _read_schema_version(source) != target.execute(SELECT_SCHEMA_VERSION).scalar_one():
            raise CannotImport("the file was written by another version of Parlour: start this version with it once")
        try:
            for table in MADE_BY_STARTS:
                target.execute(delete(table))
            for table in metadata.sorted_tables:
                for rows in _chunks(source, _select_rows(table)):
                    target.execute(insert(table), rows)
        except IntegrityError as error:
            raise CannotImport("something else is writing to the database: stop the bot, and try again") from error
    count = target.execute(select(func.count()).select_from(tables)).scalar_one()
    if target.dialect.name == "postgresql":
        for statement in RESET_ID_SEQUENCES:
            target.execute(statement)
    return count


def _require_new(target: Connection) -> None:
    """Require that nothing is stored but what the bot writes when it starts."""
    others = [table for table in metadata.sorted_tables if table not in MADE_BY_STARTS]
    taken = [table.name for table in others if target.execute(select(literal(1)).select_from(table).limit(1)).first()]
    kinds = target.execute(select(jobs.c.kind).distinct().where(jobs.c.kind.not_in(KINDS_OF_STARTS)))
    taken += [f"jobs of the kind {kind}" for kind in sorted(kinds.scalars())]
    if taken:
        more = " and more" if len(taken) > _NAMED else ""
        raise CannotImport(
            f"the database is in use already (it has {', '.join(taken[:_NAMED])}{more}). Make a new one, name it in "
            "DATABASE_URL, and import into that"
        )


def _select_rows(table: Table) -> Select[Any]:
    """Return the query for what is imported from a table: all but what was registered with Discord."""
    rows = select(table)
    return rows.where(notes.c.key.not_like(f"{REGISTERED}%")) if table is notes else rows


@contextmanager
def _open_file(file: Path) -> Iterator[Connection]:
    """Open an existing file in a read transaction."""
    url = URL.create("sqlite", database=f"file:{quote(str(file.absolute()))}", query={"mode": "rw", "uri": "true"})
    engine = make_engine(url, begin=BEGIN_READING, pragmas=READER_PRAGMAS, lock_seconds=LOCK_SECONDS)
    try:
        with _translate_errors():
            if not file.is_file():
                raise CannotImport(f"there is no file {file}")
            connection = engine.connect()
            connection.begin()
        with connection:
            yield connection
    finally:
        engine.dispose()


def _read_schema_version(source: Connection) -> object:
    with _translate_errors():
        return source.execute(SELECT_SCHEMA_VERSION).scalar_one_or_none()


def _chunks(source: Connection, query: Select[Any]) -> Iterator[list[dict[str, Any]]]:
    with _translate_errors():
        for rows in source.execute(query).mappings().partitions(ROWS_PER_CHUNK):
            yield [dict(row) for row in rows]


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        raise CannotImport(f"the file can't be read: {error.orig}") from error
    except OSError as error:
        raise CannotImport(f"the file can't be read: {error.strerror}") from error
