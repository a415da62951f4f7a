"""Locks that a transaction holds to its end."""

from sqlalchemy import Connection, bindparam, func, select

_LOCK_PERSON = select(func.pg_advisory_xact_lock(bindparam("person_id")))


def lock_person(connection: Connection, person_id: int) -> None:
    """Let other processes wait that want to do something limited for the same person; SQLite has one writer anyway."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK_PERSON, {"person_id": person_id})
