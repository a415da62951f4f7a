"""The animations of finished games."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from sqlalchemy import BigInteger, Column, Connection, ForeignKey, LargeBinary, Table, Text, bindparam, select

from bot.platform.database.sql import metadata, upsert
from bot.tables.model import Occupant, TableId
from bot.tables.schema import seats

# Animations that were shared: the newest of each table, because they are large.
animations = Table(
    "animations",
    metadata,
    Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("language", Text, nullable=False),
    Column("theme", Text, nullable=False),
    Column("file", LargeBinary, nullable=False),
)


SELECT_PEOPLE: Final = (
    select(seats.c.user_id, seats.c.name)
    .where(seats.c.table_id == bindparam("table"))
    .order_by(seats.c.seat)
    # With concurrent transactions, a change of these names waits for this one, and then deletes what it has stored.
    .with_for_update(read=True)
)
_SELECT = select(animations.c.file).where(
    animations.c.table_id == bindparam("table"),
    animations.c.language == bindparam("language"),
    animations.c.theme == bindparam("theme"),
)


class AnimationKey(NamedTuple):
    """What an animation shows, and how."""

    table: TableId
    language: str
    theme: str


def find(connection: Connection, key: AnimationKey) -> bytes | None:
    """Return an animation as a GIF file, or None if it is not stored."""
    return connection.execute(_SELECT, key._asdict()).scalar_one_or_none()


def put(connection: Connection, key: AnimationKey, file: bytes, shown: Sequence[Occupant]) -> bool:
    """Store a table's animation in place of an earlier one; return False if it shows people who are no longer there."""
    table_id = key.table
    people = [(row.user_id, row.name) for row in connection.execute(SELECT_PEOPLE, {"table": table_id})]
    if people != [(occupant.user_id, occupant.name) for occupant in shown]:
        return False
    upsert(connection, animations.c.table_id, table_id, {"language": key.language, "theme": key.theme, "file": file})
    return True
