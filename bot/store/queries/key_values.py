"""Queries for key-value pairs."""

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.store.schema import notes

_SELECT = select(notes.c.value).where(notes.c.key == bindparam("note"))
_UPDATE = update(notes).where(notes.c.key == bindparam("note")).values(value=bindparam("text"))
_INSERT = insert(notes)


def get_value(connection: Connection, key: str) -> str | None:
    """Return the value of a key, or None."""
    return connection.execute(_SELECT, {"note": key}).scalar_one_or_none()


def set_value(connection: Connection, key: str, value: str) -> None:
    """Set the value of a key."""
    if _update(connection, key, value):
        return
    try:
        with connection.begin_nested():
            connection.execute(_INSERT, {"key": key, "value": value})
    except IntegrityError:
        # Another process was faster.
        _update(connection, key, value)


def _update(connection: Connection, key: str, value: str) -> bool:
    return connection.execute(_UPDATE, {"note": key, "text": value}).rowcount > 0
