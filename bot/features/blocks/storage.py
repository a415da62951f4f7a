"""The blocks between people."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import BigInteger, Column, Connection, Index, bindparam, delete, func, insert, select

from bot.platform.database.sql import UtcDateTime, lock, rowless_table, try_insert
from bot.tables.events import Happened, TableEvent
from bot.tables.lobby import Block, SeatBlocked
from bot.tables.model import people_in

blocks = rowless_table(
    "blocks",
    Column("blocker_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_at", UtcDateTime, nullable=False),
    # To erase a person.
    Index("blocks_of", "blocked_id"),
)

SELECT_BETWEEN: Final = select(blocks.c.blocker_id, blocks.c.blocked_id).where(
    blocks.c.blocker_id.in_(bindparam("people", expanding=True)),
    blocks.c.blocked_id.in_(bindparam("people", expanding=True)),
)
_SELECT_BLOCKED: Final = (
    select(blocks.c.blocked_id)
    .where(blocks.c.blocker_id == bindparam("blocker"))
    .order_by(blocks.c.blocked_at, blocks.c.blocked_id)
)
_COUNT: Final = select(func.count()).where(blocks.c.blocker_id == bindparam("blocker"))
_INSERT: Final = insert(blocks).returning(blocks.c.blocker_id)
_DELETE: Final = delete(blocks).where(
    blocks.c.blocker_id == bindparam("blocker"), blocks.c.blocked_id == bindparam("blocked")
)


def add(connection: Connection, block: Block, at: datetime, most: int) -> bool:
    """Store a block, unless there is one; return False if the person already blocks too many."""
    lock(connection, block.blocker_id)
    if connection.execute(_COUNT, {"blocker": block.blocker_id}).scalar_one() >= most:
        return block.blocked_id in find_blocked(connection, block.blocker_id)
    try_insert(connection, _INSERT, {"blocker_id": block.blocker_id, "blocked_id": block.blocked_id, "blocked_at": at})
    return True


def remove(connection: Connection, block: Block) -> bool:
    """Delete a block; return whether there was one."""
    return connection.execute(_DELETE, {"blocker": block.blocker_id, "blocked": block.blocked_id}).rowcount > 0


def find_blocked(connection: Connection, blocker_id: int) -> Sequence[int]:
    """Return whom a person blocks, in the order in which they did so."""
    return connection.execute(_SELECT_BLOCKED, {"blocker": blocker_id}).scalars().all()


def find_between(connection: Connection, people: Collection[int]) -> frozenset[Block]:
    """Return the blocks between some people."""
    found = connection.execute(SELECT_BETWEEN, {"people": list(people)})
    return frozenset(Block(row.blocker_id, row.blocked_id) for row in found)


def check_seats(connection: Connection, event: TableEvent) -> None:
    """Check that the newcomers to a table may share it; who plays a series is settled at its first table.

    Raises:
        SeatBlocked: Two of its people block each other.
    """
    if Happened.OPENED not in event.happened or event.after.header.link is None:
        require_none(connection, people_in(event.after.seats), event.newcomers)


def require_none(connection: Connection, people: Collection[int], newcomers: Collection[int]) -> None:
    """Check that some newcomers may share a table with all people there, whom they are among.

    Raises:
        SeatBlocked: Two of them block each other.
    """
    if len(people) > 1:
        found = find_between(connection, people)
        if blocks_of_newcomers := {
            block for block in found if not {block.blocker_id, block.blocked_id}.isdisjoint(newcomers)
        }:
            raise SeatBlocked(blocks_of_newcomers)
