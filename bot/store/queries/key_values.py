"""Small facts that are kept under a key."""

from sqlalchemy import Connection, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.store.schema import notes

_NOTE = select(notes.c.value).where(notes.c.key == bindparam("note"))
_CHANGED_NOTE = update(notes).where(notes.c.key == bindparam("note")).values(value=bindparam("text"))
_NEW_NOTE = insert(notes)


def recall(connection: Connection, key: str) -> str | None:
    """Return a small fact kept under a key."""
    return connection.execute(_NOTE, {"note": key}).scalar_one_or_none()


def remember(connection: Connection, key: str, value: str) -> None:
    """Keep a small fact under a key, in place of the one before."""
    if _change_note(connection, key, value):
        return
    try:
        with connection.begin_nested():
            connection.execute(_NEW_NOTE, {"key": key, "value": value})
    except IntegrityError:
        # Another process was quicker.
        _change_note(connection, key, value)


def _change_note(connection: Connection, key: str, value: str) -> bool:
    return connection.execute(_CHANGED_NOTE, {"note": key, "text": value}).rowcount > 0
