"""A lock per person, for limits that two processes must not exceed together."""

from sqlalchemy import Connection, bindparam, func, select

_LOCK_PERSON = select(func.pg_advisory_xact_lock(bindparam("person_id")))


def lock_person(connection: Connection, person_id: int) -> None:
    """Lock a person until the transaction ends. SQLite needs no lock, as it has only one writer."""
    if connection.dialect.name == "postgresql":
        connection.execute(_LOCK_PERSON, {"person_id": person_id})
