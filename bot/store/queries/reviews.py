"""Queries for the reviews of finished games."""

from sqlalchemy import Connection, bindparam, select

from bot.store.schema import reviews
from bot.store.writing import upsert
from bot.tables.model import TableId

_SELECT = select(reviews.c.review).where(reviews.c.table_id == bindparam("table"))


def find(connection: Connection, table_id: TableId) -> str | None:
    """Return the review of a table, or None."""
    return connection.execute(_SELECT, {"table": table_id}).scalar_one_or_none()


def put(connection: Connection, table_id: TableId, review: str) -> None:
    """Store the review of a table."""
    upsert(connection, reviews.c.table_id, table_id, {"review": review})
