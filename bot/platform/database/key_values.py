"""Queries for key-value pairs."""

from sqlalchemy import Connection, bindparam, select

from bot.platform.database.sql import upsert
from bot.platform.jobs.storage import notes

_SELECT = select(notes.c.value).where(notes.c.key == bindparam("note"))


def get_value(connection: Connection, key: str) -> str | None:
    """Return the value of a key, or None."""
    return connection.execute(_SELECT, {"note": key}).scalar_one_or_none()


def set_value(connection: Connection, key: str, value: str) -> None:
    """Set the value of a key."""
    upsert(connection, notes.c.key, key, {"value": value})
