"""Taking over the tables of an SQLite file."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from sqlalchemy import Connection, Table, func, insert, select, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DatabaseError

from bot.store.database import LOCK_SECONDS, Database
from bot.store.migrate import VERSION
from bot.store.schema import metadata, notes, tables
from bot.store.sqlite.connection import engine_for

CHUNK: Final = 1000

# The numbers that were taken over are not given again; SQLite sees to that by itself.
NEXT_NUMBER: Final = text("SELECT setval(pg_get_serial_sequence('tables', 'id'), (SELECT max(id) FROM tables))")


class CannotTakeOver(Exception):
    """The file or the database does not allow it; the text says why."""


async def take_over(database: Database, file: Path) -> int:
    """Copy everything that an SQLite file holds into a database without tables, and return how many tables it was.

    Raises CannotTakeOver when either is not as it should be; then nothing is copied.
    """
    return await database.migrate(lambda connection: _take_over(connection, file))


def _take_over(target: Connection, file: Path) -> int:
    if _count(target):
        raise CannotTakeOver("the database has tables of its own already")
    with _opened(file) as source:
        if _version(source) != target.execute(VERSION).scalar_one():
            raise CannotTakeOver("the file was written by another version of Parlour")
        for table in metadata.sorted_tables:
            # The notes say what Discord was told; it is told again.
            if table is not notes:
                for rows in _chunks(source, table):
                    target.execute(insert(table), rows)
    taken = _count(target)
    if taken and target.dialect.name == "postgresql":
        target.execute(NEXT_NUMBER)
    return taken


def _count(connection: Connection) -> int:
    return connection.execute(select(func.count()).select_from(tables)).scalar_one()


@contextmanager
def _opened(file: Path) -> Iterator[Connection]:
    """Open a file that exists, for what it holds at this moment."""
    url = URL.create("sqlite", database=f"file:{quote(str(file.absolute()))}", query={"mode": "rw", "uri": "true"})
    engine = engine_for(url, begin="BEGIN", pragmas=("query_only=ON",), patience=LOCK_SECONDS)
    try:
        with _understood():
            if not file.is_file():
                raise CannotTakeOver(f"there is no file {file}")
            connection = engine.connect()
        with connection:
            yield connection
    finally:
        engine.dispose()


def _version(source: Connection) -> object:
    with _understood():
        return source.execute(VERSION).scalar_one_or_none()


def _chunks(source: Connection, table: Table) -> Iterator[list[dict[str, Any]]]:
    with _understood():
        for rows in source.execution_options(yield_per=CHUNK).execute(select(table)).mappings().partitions():
            yield [dict(row) for row in rows]


@contextmanager
def _understood() -> Iterator[None]:
    try:
        yield
    except DatabaseError as error:
        raise CannotTakeOver(f"the file can't be read: {error.orig}") from error
    except OSError as error:
        raise CannotTakeOver(f"the file can't be read: {error.strerror}") from error
