"""Tables and statements that work on every database."""

from datetime import UTC, datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import (
    BigInteger,
    Column,
    Connection,
    DateTime,
    ForeignKey,
    Index,
    Insert,
    MetaData,
    Row,
    Table,
    Text,
    TextClause,
    TypeDecorator,
    bindparam,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.exc import IntegrityError
from sqlalchemy.schema import SchemaItem

from bot.platform.clock import utc_now

Values: TypeAlias = dict[str, Any]
"""The values of a row by column, or the parameters of a statement."""
AnyRow: TypeAlias = Row[Any]


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
    """Return an index limited to the rows that meet a condition."""
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


def rowless_table(name: str, *items: SchemaItem) -> Table:
    """Return a table that SQLite stores by its primary key."""
    return Table(name, metadata, *items, sqlite_with_rowid=False)


def table_id_column() -> Column[int]:
    """Return a primary key column that refers to a table of a game."""
    return Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False)


def try_insert(connection: Connection, statement: Insert, values: Values) -> bool:
    """Run an INSERT with RETURNING; return False if the row exists or there was nothing to insert."""
    try:
        with connection.begin_nested():
            return connection.execute(statement, values).first() is not None
    except IntegrityError:
        return False


def upsert(connection: Connection, key: Column[Any], value: object, values: Values) -> None:
    """Update the row with a value of the primary key, or insert it."""
    change = update(key.table).where(key == value).values(values)
    if connection.execute(change).rowcount > 0:
        return
    if not try_insert(connection, insert(key.table).returning(key), {key.name: value, **values}):
        # Another process has just inserted the row.
        connection.execute(change)


_LOCK: Final = select(func.pg_advisory_xact_lock(bindparam("locked_id")))
_READ_CLOCK: Final = select(func.clock_timestamp())


def lock(connection: Connection, locked_id: int) -> None:
    """Lock a person, server or channel, or the subject of a smaller number, until the transaction ends.

    SQLite needs no lock, because it has only one writer. Ids of Discord never collide.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK, {"locked_id": locked_id})


def read_clock(connection: Connection, own: datetime | None = None) -> datetime:
    """Return the time by the database's clock, because the clocks of several machines differ.

    Args:
        connection: The connection.
        own: The time by this process's clock, which may differ from the machine's.
    """
    if connection.dialect.name == "postgresql":
        now: datetime = connection.execute(_READ_CLOCK).scalar_one()
        return now
    # All processes that use an SQLite file run on the same machine.
    return own or utc_now()


# Small facts that the bot has to remember, as keys and values.
notes = rowless_table(
    "notes",
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

_SELECT_NOTE = select(notes.c.value).where(notes.c.key == bindparam("note"))


def get_value(connection: Connection, key: str) -> str | None:
    """Return the value of a key, or None."""
    return connection.execute(_SELECT_NOTE, {"note": key}).scalar_one_or_none()


def set_value(connection: Connection, key: str, value: str) -> None:
    """Set the value of a key."""
    upsert(connection, notes.c.key, key, {"value": value})
