"""Copies a database into an empty one, of the same kind or the other."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, Engine, MetaData, Select, Table, delete, func, insert, literal, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError, IntegrityError

from bot.platform.database.address import SQLITE, file_of, parse_database_url
from bot.platform.database.database import (
    LOCK_SECONDS,
    MIGRATION_TIMEOUT_SECONDS,
    SELECT_SCHEMA_VERSION,
    Database,
)
from bot.platform.database.migrate import newest_version
from bot.platform.database.sql import notes
from bot.platform.database.sqlite import BEGIN_READING, READER_PRAGMAS, make_engine
from bot.platform.jobs.storage import jobs

ROWS_PER_CHUNK: Final = 1000

REGISTERED: Final = "commands of "
"""The prefix of notes about registered commands, which may have changed since."""

_NAMED: Final = 3
"""How many names of occupied tables an error quotes."""


@dataclass(frozen=True, slots=True)
class FromStarts:
    """The rows that the bot writes at its start, before anyone acts; an imported database has its own."""

    tables: Collection[Table]
    job_kinds: Collection[str]


class CannotImport(Exception):
    """The source can't be imported; the message says why."""


async def import_database(database: Database, source: str, schema: MetaData, from_starts: FromStarts) -> None:
    """Copy an SQLite file or the database at a URL into a database, replacing the rows that a start of the bot writes.

    Raises:
        CannotImport: The database holds other rows, or the source can't be read or has another schema version. Nothing
            is copied.
    """
    await database.run_exclusively(lambda connection: _import_tables(connection, source, schema, from_starts))


def _import_tables(target: Connection, address: str, schema: MetaData, from_starts: FromStarts) -> None:
    _require_new(target, schema, from_starts)
    with _open_source(address) as source:
        _require_own_version(source, target)
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


def _require_own_version(source: Connection, target: Connection) -> None:
    with _translate_errors():
        version = source.execute(SELECT_SCHEMA_VERSION).scalar_one_or_none()
    if version != target.execute(SELECT_SCHEMA_VERSION).scalar_one():
        raise CannotImport("it was written by another version of Parlour: start this version with it once")
    if version != newest_version():
        raise CannotImport("both databases are of a newer version of Parlour: import with that version")


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
def _open_source(address: str) -> Iterator[Connection]:
    """Open an existing database in a transaction that only reads, and sees a single snapshot."""
    with _translate_errors():
        engine = _make_reader(address)
    try:
        with _translate_errors():
            connection = engine.connect()
            connection.begin()
        with connection:
            yield connection
    finally:
        engine.dispose()


def _make_reader(address: str) -> Engine:
    url = parse_database_url(address) if "://" in address else None
    if url is not None and url.get_backend_name() != SQLITE:
        # Import here, so that the library is only loaded if it is needed.
        from bot.platform.database.postgres import make_autocommit_engine, open_transactions  # noqa: PLC0415

        engine = make_autocommit_engine(
            url, connections=1, lock_seconds=LOCK_SECONDS, statement_seconds=MIGRATION_TIMEOUT_SECONDS
        )
        return open_transactions(engine, level="REPEATABLE READ", postgresql_readonly=True)
    file = Path(address) if url is None else file_of(url)
    if not file.is_file():
        raise CannotImport(f"there is no file {file}")
    existing = URL.create(SQLITE, database=f"file:{quote(str(file.absolute()))}", query={"mode": "rw", "uri": "true"})
    return make_engine(existing, begin=BEGIN_READING, pragmas=READER_PRAGMAS, lock_seconds=LOCK_SECONDS)


def _chunks(source: Connection, query: Select[Any]) -> Iterator[list[dict[str, Any]]]:
    with _translate_errors():
        for rows in source.execute(query, execution_options={"yield_per": ROWS_PER_CHUNK}).mappings().partitions():
            yield [dict(row) for row in rows]


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except DBAPIError as error:
        raise CannotImport(f"it can't be read: {' '.join(str(error.orig).split())}") from error
    except OSError as error:
        raise CannotImport(f"it can't be read: {error.strerror}") from error
    except ValueError as error:
        raise CannotImport(str(error)) from error
