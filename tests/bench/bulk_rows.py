"""Writes many rows at once, as fast as a database takes them."""

from typing import Any

from sqlalchemy import Connection, Table, insert

from bot.platform.database.sql import Values


def write_rows(connection: Connection, table: Table, values: list[Values]) -> None:
    """Insert rows, and empty the list."""
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
