"""Statements that work on every database."""

from datetime import datetime
from typing import Any, Final, TypeAlias

from sqlalchemy import Column, Connection, Insert, Row, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.platform.clock import utc_now

Values: TypeAlias = dict[str, Any]
"""The values of a row by column, or the parameters of a statement."""
AnyRow: TypeAlias = Row[Any]


def try_insert(connection: Connection, statement: Insert, values: Values) -> bool:
    """Run an INSERT with RETURNING; return False if the row exists or there was nothing to insert."""
    try:
        with connection.begin_nested():
            return connection.execute(statement, values).first() is not None
    except IntegrityError:
        return False


def change_row(connection: Connection, key: Column[Any], value: object, before: Values, after: Values) -> None:
    """Write the columns that differ, or insert the row: another process may be changing the other columns."""
    changed = {name: new for name, new in after.items() if new != before[name]}
    if changed:
        upsert(connection, key, value, changed, others=after)


def upsert(
    connection: Connection,
    key: Column[Any],
    value: object,
    values: Values,
    others: Values | None = None,
) -> None:
    """Update the row with a value of the primary key, or insert it with these and other values."""
    change = update(key.table).where(key == value).values(values)
    if connection.execute(change).rowcount > 0:
        return
    if not try_insert(connection, insert(key.table).returning(key), {key.name: value, **(others or {}), **values}):
        # Another process was faster.
        connection.execute(change)


_LOCK: Final = select(func.pg_advisory_xact_lock(bindparam("locked_id")))
_READ_CLOCK: Final = select(func.clock_timestamp())


def lock_person(connection: Connection, person_id: int) -> None:
    """Lock a person until the transaction ends. SQLite needs no lock, as it has only one writer."""
    _lock(connection, person_id)


def lock_scope(connection: Connection, scope_id: int) -> None:
    """Lock a server or a direct message likewise."""
    _lock(connection, scope_id)


def lock_leases(connection: Connection) -> None:
    """Lock the leases of shards likewise."""
    _lock(connection, 0)


def lock_alive(connection: Connection) -> None:
    """Lock the notes of running processes likewise."""
    _lock(connection, -1)


def lock_bucket(connection: Connection, bucket: int) -> None:
    """Lock a bucket of shards that identify likewise."""
    _lock(connection, 1 + bucket)


def read_clock(connection: Connection, own: datetime | None = None) -> datetime:
    """Return the time by the database's clock: those of the machines that share a database differ.

    Args:
        connection: The connection.
        own: The time by the clock of this process, if that may be another than the machine's.
    """
    if connection.dialect.name == "postgresql":
        now: datetime = connection.execute(_READ_CLOCK).scalar_one()
        return now
    # All processes with an SQLite file are on its machine.
    return own or utc_now()


def _lock(connection: Connection, locked_id: int) -> None:
    # Ids of people, servers and channels never collide, and are larger than the number of any bucket.
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK, {"locked_id": locked_id})
