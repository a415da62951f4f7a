"""Queries for the animations of finished games."""

from sqlalchemy import Connection, bindparam, select

from bot.store.schema import animations
from bot.store.writing import upsert
from bot.tables.model import TableId

_SELECT = select(animations.c.file).where(animations.c.table_id == bindparam("table"))


def find(connection: Connection, table_id: TableId) -> bytes | None:
    """Return the animation of a table, or None."""
    return connection.execute(_SELECT, {"table": table_id}).scalar_one_or_none()


def put(connection: Connection, table_id: TableId, file: bytes) -> None:
    """Store the animation of a table."""
    upsert(connection, animations.c.table_id, table_id, {"file": file})
