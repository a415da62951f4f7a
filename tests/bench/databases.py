"""The databases that are measured."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from sqlalchemy import Connection, Table, insert

from bot.app.databases import migrate
from bot.platform.database.database import Database, open_database
from bot.platform.database.sql import Values


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
