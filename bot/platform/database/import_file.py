"""Imports an SQLite file into another database."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, MetaData, Select, Table, delete, func, insert, literal, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError, IntegrityError

from bot.platform.database.database import LOCK_SECONDS, SELECT_SCHEMA_VERSION, Database
from bot.platform.database.sql import notes
from bot.platform.database.sqlite import BEGIN_READING, READER_PRAGMAS, make_engine
from bot.platform.jobs.storage import jobs

ROWS_PER_CHUNK: Final = 1000

REGISTERED: Final = "commands of "
"""The prefix of notes about registered commands, which may have changed since the file was written."""

_NAMED: Final = 3
"""How many names of occupied tables an error quotes."""


@dataclass(frozen=True, slots=True)
class FromStarts:
    """The rows that the bot writes at its start, before anyone acts; an imported file has its own."""

    tables: Collection[Table]
    job_kinds: Collection[str]


class CannotImport(Exception):
    """The file can't be imported; the message says why."""


async def import_sqlite_file(database: Database, file: Path, schema: MetaData, from_starts: FromStarts) -> None:
    """Copy an SQLite file into a database, replacing the rows that a start of the bot writes.

    Raises:
        CannotImport: The database holds other rows, or the file can't be read or has another schema version. Nothing
            is copied.
    """
    await database.run_exclusively(lambda connection: _import_tables(connection, file, schema, from_starts))


def _import_tables(target: Connection, file: Path, schema: MetaData, from_starts: FromStarts) -> None:
    _require_new(target, schema, from_starts)
    with _open_file(file) as source:
        with _translate_errors():
            version = source.execute(SELECT_SCHEMA_VERSION).scalar_one_or_none()
        if version != target.execute(SELECT_SCHEMA_VERSION).scalar_one():
            raise CannotImport("the file was written by another version of Parlour: start this version with it once")
        try:
            for table in from_starts.tables:
                target.execute(delete(table))
            for table in schema.sorted_tables:
                query = select(table)
                if table is notes:
                    # The registered commands may have changed since.
                    query = query.where(notes.c.key.not_like(f"{REGISTERED}%"))
                for rows in _chunks(source, query):
                    target.execute(insert(table), rows)
        except IntegrityError as error:
            raise CannotImport("something else is writing to the database: stop the bot, and try again") from error
    if target.dialect.name == "postgresql":
        # PostgreSQL must not assign imported ids again; SQLite prevents that itself.
        for table in schema.sorted_tables:
            if (column := table.autoincrement_column) is not None:
                name = func.pg_get_serial_sequence(table.name, column.name)
                target.execute(select(func.setval(name, select(func.max(column)).scalar_subquery())))


def _require_new(target: Connection, schema: MetaData, from_starts: FromStarts) -> None:
    """Require that the database holds only the rows that a start of the bot writes."""
    others = [table for table in schema.sorted_tables if table not in from_starts.tables]
    taken = [table.name for table in others if target.execute(select(literal(1)).select_from(table).limit(1)).first()]
    kinds = target.execute(select(jobs.c.kind).distinct().where(jobs.c.kind.not_in(from_starts.job_kinds)))
    taken += [f"jobs of the kind {kind}" for kind in sorted(kinds.scalars())]
    if taken:
        more = " and more" if len(taken) > _NAMED else ""
        raise CannotImport(
            f"the database is in use already (it has {', '.join(taken[:_NAMED])}{more}). Make a new one, name it in "
            "DATABASE_URL, and import into that"
        )


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
