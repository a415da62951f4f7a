"""What all tables of the schema are made with."""

from datetime import UTC, datetime

from sqlalchemy import BigInteger, Column, DateTime, ForeignKey, Index, MetaData, Table, TextClause, TypeDecorator
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.schema import SchemaItem


class UtcDateTime(TypeDecorator[datetime]):
    """A time stored in UTC and returned with its time zone, which SQLite alone would lose."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a time to UTC.

        Raises:
            ValueError: The time has no zone.
        """
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a zone can't be stored")
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Add the zone that SQLite does not store."""
        if value is not None and value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        return value and value.astimezone(UTC)


metadata = MetaData()


def partial_index(name: str, *columns: str, where: TextClause, unique: bool = False) -> Index:
    """Return an index of the rows that meet a condition."""
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


def rowless_table(name: str, *items: SchemaItem) -> Table:
    """Return a table that SQLite stores by its primary key."""
    return Table(name, metadata, *items, sqlite_with_rowid=False)


def table_id_column() -> Column[int]:
    """Return a primary key column that refers to a table of a game."""
    return Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False)
