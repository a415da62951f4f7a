"""A move written on SQLite, by statements made into text once: SQLAlchemy then has less to do each time."""

import sqlite3
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias

from sqlalchemy import Connection, Insert, Update
from sqlalchemy.dialects import sqlite
from sqlalchemy.exc import StatementError

from bot.store import rows, writing
from bot.store.sqlite.connection import driver_connection_of
from bot.tables.model import Entry, Header
from bot.tables.ports import Conflict

Convert: TypeAlias = Callable[[Any], Any]

_DIALECT: Final = sqlite.dialect(paramstyle="qmark")


def save_move(connection: Connection, header: Header, entry: Entry) -> None:
    """Write a changed header and the move that changed it; raises Conflict."""
    driver = driver_connection_of(connection)
    changed = writing.key_of(header) | rows.changed_table_values(header)
    if execute_raw(driver, writing.UPDATE_TABLE, changed) == 0:
        raise Conflict(header.id)
    try:
        execute_raw(driver, writing.INSERT_MOVE, rows.move_values(header.id, entry))
    except sqlite3.IntegrityError as error:
        raise Conflict(header.id) from error


def execute_raw(driver: sqlite3.Connection, statement: Insert | Update, values: rows.Values) -> int:
    """Write one row of values as SQLAlchemy does, and return how many rows were written; raises the driver's errors."""
    text, order = _compile(statement, tuple(values))
    try:
        row = [values[name] if convert is None else convert(values[name]) for name, convert in order]
    except Exception as error:
        raise StatementError(str(error), text, None, error) from error
    return driver.execute(text, row).rowcount


@cache
def _compile(statement: Insert | Update, names: tuple[str, ...]) -> tuple[str, tuple[tuple[str, Convert | None], ...]]:
    """Return a statement's text for values of these names, their order in it, and how the driver wants each."""
    compiled = statement.compile(dialect=_DIALECT, column_keys=list(names))
    types = {name: parameter.type.dialect_impl(_DIALECT) for name, parameter in compiled.binds.items()}
    order = compiled.positiontup or ()
    return str(compiled), tuple((name, types[name].bind_processor(_DIALECT)) for name in order)
