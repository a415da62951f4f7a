"""Imports an SQLite file into another database."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, Table, func, insert, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError

from bot.store.database import LOCK_SECONDS, Database
from bot.store.migrate import SELECT_SCHEMA_VERSION
from bot.store.schema import metadata, notes, tables
from bot.store.sqlite.connection import make_engine

ROWS_PER_CHUNK: Final = 1000

# PostgreSQL must not assign the imported ids again; SQLite takes care of that itself.
RESET_ID_SEQUENCES: Final = tuple(
    text(f"SELECT setval(pg_get_serial_sequence('{name}', 'id'), (SELECT max(id) FROM {name}))")  # noqa: S608 - constants
    for name in ("tables", "boards")
)


class CannotImport(Exception):
    """The file can't be imported; the message says why."""


async def import_sqlite_file(database: Database, file: Path) -> int:
    """Copy an SQLite file into an empty database and return the number of tables (games) imported.

    Raises:
        CannotImport: The database is not empty, or the file can't be read or has another schema version. Nothing is
            copied.
    """
    return await database.run_exclusively(lambda connection: _import_tables(connection, file))


def _import_tables(target: Connection, file: Path) -> int:
    if _count_tables(target):
        raise CannotImport("the database has tables of its own already")
    with _open_file(file) as source:
        if _read_schema_version(source) != target.execute(SELECT_SCHEMA_VERSION).scalar_one():
            raise CannotImport("the file was written by another version of Parlour")
        for table in metadata.sorted_tables:
            # Key-value rows are not imported: they record what was synced to Discord, which this database must redo.
            if table is not notes:
                for rows in _chunks(source, table):
                    target.execute(insert(table), rows)
    count = _count_tables(target)
    if count and target.dialect.name == "postgresql":
        for statement in RESET_ID_SEQUENCES:
            target.execute(statement)
    return count


def _count_tables(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(tables)).scalar_one()


@contextmanager
def _open_file(file: Path) -> Iterator[Connection]:
    """Open an existing file in a read transaction."""
    url = URL.create("sqlite", database=f"file:{quote(str(file.absolute()))}", query={"mode": "rw", "uri": "true"})
    engine = make_engine(url, pragmas=("query_only=ON",), lock_seconds=LOCK_SECONDS)
    try:
        with _translate_errors():
            if not file.is_file():
                raise CannotImport(f"there is no file {file}")
            connection = engine.connect()
            connection.exec_driver_sql("BEGIN")
        with connection:
            yield connection
    finally:
        engine.dispose()


def _read_schema_version(source: Connection) -> object:
    with _translate_errors():
        return source.execute(SELECT_SCHEMA_VERSION).scalar_one_or_none()


def _chunks(source: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    with _translate_errors():
        for rows in source.execute(select(table)).mappings().partitions(ROWS_PER_CHUNK):
            yield [dict(row) for row in rows]


@contextmanager
def _translate_errors() -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        raise CannotImport(f"the file can't be read: {error.orig}") from error
    except OSError as error:
        raise CannotImport(f"the file can't be read: {error.strerror}") from error
