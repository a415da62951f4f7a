"""A move written on SQLite, by statements made into text once: SQLAlchemy then has less to do each time."""

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Insert, Update
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import IntegrityError, StatementError

from bot.store import rows, writing
from bot.tables.model import Entry, Header
from bot.tables.ports import Conflict

Convert: TypeAlias = Callable[[Any], Any]

# Parameters go by their names, so that values need no order.
_DIALECT: Final = sqlite.dialect(paramstyle="named")


def save_move(connection: Connection, header: Header, entry: Entry) -> None:
    """Write a changed header and the move that changed it; raises Conflict."""
    changed = writing.key_of(header) | rows.changed_table(header)
    if run(connection, writing.CHANGED_TABLE, changed) == 0:
        raise Conflict(header.id)
    try:
        run(connection, writing.NEW_MOVE, rows.move_values(header.id, entry))
    except IntegrityError as error:
        raise Conflict(header.id) from error


def run(connection: Connection, statement: Insert | Update, values: rows.Values) -> int:
    """Do on SQLite as `Connection.execute` does with one row of values, and return how many rows it has written."""
    text, conversions = _prepared(statement, tuple(values))
    try:
        converted = values | {name: convert(values[name]) for name, convert in conversions}
    except (TypeError, ValueError) as error:
        raise StatementError(str(error), text, None, error) from error
    return connection.exec_driver_sql(text, converted).rowcount


@cache
def _prepared(statement: Insert | Update, names: tuple[str, ...]) -> tuple[str, tuple[tuple[str, Convert], ...]]:
    """Return a statement's text for values of these names, and those that the driver does not take as they are."""
    compiled = statement.compile(dialect=_DIALECT, column_keys=list(names))
    types = {name: parameter.type.dialect_impl(_DIALECT) for name, parameter in compiled.binds.items()}
    conversions = ((name, kind.bind_processor(_DIALECT)) for name, kind in types.items())
    return str(compiled), tuple((name, convert) for name, convert in conversions if convert is not None)
