"""Queries for the reviews of finished games."""

from sqlalchemy import Connection, bindparam, select

from bot.features.results.schema import reviews
from bot.platform.database.sql import upsert
from bot.tables.model import TableId

_SELECT = select(reviews.c.review).where(reviews.c.table_id == bindparam("table"))


def find(connection: Connection, table_id: TableId) -> str | None:
    """Return the review of a table as JSON, or None if there is none yet."""
    return connection.execute(_SELECT, {"table": table_id}).scalar_one_or_none()


def put(connection: Connection, table_id: TableId, review: str) -> None:
    """Store the review of a table; the newest stays."""
    upsert(connection, reviews.c.table_id, table_id, {"review": review})
