"""Statements that work on every database."""

from typing import Any, TypeAlias

from sqlalchemy import Column, Connection, Insert, Row, insert, update
from sqlalchemy.exc import IntegrityError

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
