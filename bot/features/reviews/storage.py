"""The reviews of finished games that somebody asked for, as JSON."""

from sqlalchemy import BigInteger, Column, Connection, ForeignKey, Table, Text, bindparam, select

from bot.platform.database.sql import metadata, upsert
from bot.tables.model import TableId

reviews = Table(
    "reviews",
    metadata,
    Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("review", Text, nullable=False),
)


_SELECT = select(reviews.c.review).where(reviews.c.table_id == bindparam("table"))


def find(connection: Connection, table_id: TableId) -> str | None:
    """Return the review of a table as JSON, or None if there is none yet."""
    return connection.execute(_SELECT, {"table": table_id}).scalar_one_or_none()


def put(connection: Connection, table_id: TableId, review: str) -> None:
    """Store a table's review in place of an older one."""
    upsert(connection, reviews.c.table_id, table_id, {"review": review})
