"""Queries for what a host announces, and for figures about the use of the bot."""

from collections.abc import Mapping, Sequence

from sqlalchemy import Connection, delete, insert, select

from bot.platform.database.sql import try_insert
from bot.platform.jobs.schema import notes
from bot.tables.schema import IS_LESSON, IS_OPEN, tables


def find_open_channels(connection: Connection) -> Sequence[int]:
    """Return the channels that have an open table."""
    return sorted(connection.execute(select(tables.c.channel_id).where(IS_OPEN, ~IS_LESSON).distinct()).scalars())


def claim_note(connection: Connection, key: str) -> bool:
    """Store an empty note; return False if there is one with this key."""
    return try_insert(connection, insert(notes).returning(notes.c.key), {"key": key, "value": ""})


def find_notes(connection: Connection, prefix: str) -> Mapping[str, str]:
    """Return the notes whose keys begin with a prefix."""
    found = connection.execute(select(notes).where(notes.c.key.startswith(prefix, autoescape=True)))
    return {row.key: row.value for row in found}


def delete_notes(connection: Connection, prefix: str) -> None:
    """Delete the notes whose keys begin with a prefix."""
    connection.execute(delete(notes).where(notes.c.key.startswith(prefix, autoescape=True)))
