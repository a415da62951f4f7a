"""Locks for what two processes must not do at the same time."""

from sqlalchemy import Connection, bindparam, func, select

_LOCK = select(func.pg_advisory_xact_lock(bindparam("locked_id")))


def lock_person(connection: Connection, person_id: int) -> None:
    """Lock a person until the transaction ends. SQLite needs no lock, as it has only one writer."""
    _lock(connection, person_id)


def lock_scope(connection: Connection, scope_id: int) -> None:
    """Lock a server or a direct message likewise."""
    _lock(connection, scope_id)


def _lock(connection: Connection, locked_id: int) -> None:
    # Ids of people, servers and channels never collide.
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK, {"locked_id": locked_id})
