"""The animations of finished games."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import BigInteger, Column, Connection, ForeignKey, LargeBinary, Table, bindparam, select

from bot.platform.database.sql import metadata, upsert
from bot.tables.model import Occupant, TableId
from bot.tables.schema import seats

# Animations that were shared.
animations = Table(
    "animations",
    metadata,
    Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("file", LargeBinary, nullable=False),
)


SELECT_PEOPLE: Final = (
    select(seats.c.user_id, seats.c.name)
    .where(seats.c.table_id == bindparam("table"))
    .order_by(seats.c.seat)
    # With concurrent transactions, a change of these names waits for this one, and then deletes what it has stored.
    .with_for_update(read=True)
)
_SELECT = select(animations.c.file).where(animations.c.table_id == bindparam("table"))


def find(connection: Connection, table_id: TableId) -> bytes | None:
    """Return the animation of a table as a GIF file, or None if there is none yet."""
    return connection.execute(_SELECT, {"table": table_id}).scalar_one_or_none()


def put(connection: Connection, table_id: TableId, file: bytes, shown: Sequence[Occupant]) -> bool:
    """Store a table's animation; return False if it shows people who are no longer the table's."""
    people = [(row.user_id, row.name) for row in connection.execute(SELECT_PEOPLE, {"table": table_id})]
    if people != [(occupant.user_id, occupant.name) for occupant in shown]:
        return False
    upsert(connection, animations.c.table_id, table_id, {"file": file})
    return True
