"""The databases that are measured."""

import asyncio
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from itertools import count
from typing import Any, TypeAlias

import pytest
import typer
from sqlalchemy import Connection, Table, create_engine, insert, text

from bot.app.databases import migrate
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.database.address import parse_database_url
from bot.platform.database.database import Database, open_database
from bot.platform.database.sql import Values
from bot.tables import schema, storage as table_storage
from bot.tables.model import PublishedRevision
from bot.tables.service import TableService
from tests.support.fakes import GAMES, ROBIN, WREN, roll, start_game
from tests.support.postgres import run_server

NewDatabase: TypeAlias = Callable[[], str]
"""Makes an empty database and returns its address."""


@contextmanager
def new_sqlite_databases() -> Iterator[NewDatabase]:
    """Return what makes files on the disk of temporary files, which go when the block ends."""
    numbers = count(1)
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        yield lambda: f"sqlite:///{folder}/{next(numbers)}.sqlite3"


@contextmanager
def new_postgres_databases() -> Iterator[dict[str, NewDatabase]]:
    """Return what makes databases of a server of its own, or nothing where there is no PostgreSQL."""
    numbers = count(1)
    try:
        with run_server(careful=True) as server:
            yield {"PostgreSQL": lambda: server.empty_database(f"bench_{next(numbers)}")}
    except pytest.skip.Exception as reason:
        typer.echo(f"SQLite alone: {reason}.", err=True)
        yield {}


@contextmanager
def new_databases() -> Iterator[dict[str, NewDatabase]]:
    """Return what makes databases of each kind, by its name."""
    with new_sqlite_databases() as new_file, new_postgres_databases() as on_server:
        yield {"SQLite": new_file, **on_server}


@asynccontextmanager
async def open_migrated(address: str) -> AsyncIterator[Database]:
    """Open a database with all its tables until the block ends."""
    db = open_database(address)
    try:
        await migrate(db)
        yield db
    finally:
        await db.close()


def write_rows(connection: Connection, table: Table, values: list[Values]) -> None:
    """Insert rows as fast as the database takes them, and empty the list."""
    if not values:
        return
    if connection.dialect.name == "postgresql":
        cursor: Any = connection.connection.cursor()
        names = list(values[0])
        with cursor.copy(f"COPY {table.name} ({', '.join(names)}) FROM STDIN") as copy:
            for row in values:
                copy.write_row([row[name] for name in names])
    else:
        connection.execute(insert(table), values)
    values.clear()


async def fill_database(address: str, tables: int, moves: int) -> None:
    """Play a number of moves at one table, and copy it."""
    async with open_migrated(address) as db:
        await _play(db, moves)
        await asyncio.to_thread(_multiply, address, tables)


async def _play(db: Database, moves: int) -> None:
    service = TableService(db, GAMES)
    table = await start_game(service, ROBIN, WREN, options=MagpieOptions(target=500))
    for _ in range(moves):
        table = await roll(service, table)
    await db.maintain(table_storage.mark_published, [PublishedRevision(table.id, table.header.revision, 70)])


def _multiply(address: str, tables: int) -> None:
    engine = create_engine(parse_database_url(address))
    with engine.begin() as connection:
        _copy(connection, schema.tables, {"id", "channel_id"}, tables - 1)
        for part in (schema.seats, schema.moves):
            _copy(connection, part, {"table_id"}, tables - 1)
    engine.dispose()


def _copy(connection: Connection, table: Table, shifted: set[str], times: int) -> None:
    columns = table.columns.keys()
    values = ", ".join(f"{name} + n" if name in shifted else name for name in columns)
    numbers = "WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < :times)"
    copies = f"{numbers} SELECT {values} FROM {table.name}, numbers"  # noqa: S608 - every name is the schema's
    connection.execute(text(f"INSERT INTO {table.name} ({', '.join(columns)}) {copies}"), {"times": times})
