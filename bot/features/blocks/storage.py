"""The SQL table of blocks, its queries, and the check when a person takes a seat."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from sqlalchemy import BigInteger, Column, Connection, Index, bindparam, delete, func, insert, select

from bot.platform.database.sql import UtcDateTime, lock, rowless_table, try_insert
from bot.rules.refusals import Refusal, RefusalReason
from bot.tables.events import Happened, NotTogether, TableEvent
from bot.tables.model import people_in
from bot.tables.refusals import HostReason


class BlockReason(RefusalReason):
    """Why a block is refused, or a seat because of a block."""

    BLOCKED_YOURSELF = "blocked_yourself"
    BLOCKED_COMPUTER = "blocked_computer"
    TOO_MANY_BLOCKS = "too_many_blocks"
    NOT_BLOCKED = "not_blocked"
    YOU_BLOCK_SOMEONE = "you_block_someone"


@dataclass(frozen=True, slots=True, order=True)
class Block:
    """A person blocks another."""

    blocker_id: int
    blocked_id: int


blocks = rowless_table(
    "blocks",
    Column("blocker_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_id", BigInteger, primary_key=True, autoincrement=False),
    Column("blocked_at", UtcDateTime, nullable=False),
    # For erasing a person.
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
    """Store a block unless it exists; return False if the person already blocks too many others."""
    lock(connection, block.blocker_id)
    if connection.execute(_COUNT, {"blocker": block.blocker_id}).scalar_one() >= most:
        return block.blocked_id in find_blocked(connection, block.blocker_id)
    try_insert(connection, _INSERT, {"blocker_id": block.blocker_id, "blocked_id": block.blocked_id, "blocked_at": at})
    return True


def remove(connection: Connection, block: Block) -> bool:
    """Delete a block; return whether there was one."""
    return connection.execute(_DELETE, {"blocker": block.blocker_id, "blocked": block.blocked_id}).rowcount > 0


def find_blocked(connection: Connection, blocker_id: int) -> Sequence[int]:
    """Return the people whom a person blocks, in the order of blocking."""
    return connection.execute(_SELECT_BLOCKED, {"blocker": blocker_id}).scalars().all()


def find_between(connection: Connection, people: Collection[int]) -> frozenset[Block]:
    """Return the blocks between these people."""
    found = connection.execute(SELECT_BETWEEN, {"people": list(people)})
    return frozenset(Block(row.blocker_id, row.blocked_id) for row in found)


def check_seats(connection: Connection, event: TableEvent) -> None:
    """Check that no block separates newcomers from others at a table; a new table of a series is not checked again.

    People for whom a new table keeps seats count as newcomers: it must not keep one that they would be refused.

    Raises:
        NotTogether: Two people of a new table block each other.
        Refusal: A newcomer blocks somebody at the table, or is blocked by them.
    """
    header, people, newcomers = event.after.header, people_in(event.after.seats), event.newcomers
    is_new = Happened.OPENED in event.happened
    if is_new:
        people, newcomers = people | header.kept, newcomers | header.kept
    if len(people) < 2 or (is_new and header.link is not None):
        return
    found = find_between(connection, people)
    of_newcomers = [block for block in found if not {block.blocker_id, block.blocked_id}.isdisjoint(newcomers)]
    if not of_newcomers:
        return
    if is_new:
        raise NotTogether(_left_out(header.opener_id, of_newcomers))
    does_block = any(block.blocker_id in newcomers for block in of_newcomers)
    raise Refusal(BlockReason.YOU_BLOCK_SOMEONE if does_block else HostReason.NO_SEAT_FOR_YOU)


def _left_out(opener_id: int, found: Collection[Block]) -> frozenset[int]:
    """Return the people to leave out of a new table.

    If the opener and a guest block each other, the guest is left out; between two guests, the one who blocks.
    """
    about_opener = {block for block in found if opener_id in (block.blocker_id, block.blocked_id)}
    left_out = {user_id for block in about_opener for user_id in (block.blocker_id, block.blocked_id)} - {opener_id}
    left_out |= {
        block.blocker_id for block in found if not {block.blocker_id, block.blocked_id} & (left_out | {opener_id})
    }
    return frozenset(left_out)
