"""Conditions and rows for sharing the work between processes: ranges of shards, their leases, and identifies."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Final

from sqlalchemy import (
    Boolean,
    Column,
    ColumnElement,
    Connection,
    CursorResult,
    Executable,
    Integer,
    Text,
    bindparam,
    delete,
    func,
    insert,
    select,
    update,
)

from bot.platform.database.sql import UtcDateTime, Values, lock, read_clock, rowless_table, upsert
from bot.platform.jobs.model import ALL_SHARDS, SERVER_BITS, Lease, ShardRange

# The process that has a range of shards, and the end of its lease. After that, another one may take some of them.
# Ranges of leases that have not ended do not overlap.
shard_leases = rowless_table(
    "shard_leases",
    Column("shard_count", Integer, primary_key=True, autoincrement=False),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, nullable=False),
    Column("owner", Text, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    # Whether the owner is connected.
    Column("is_ready", Boolean, nullable=False),
)

# When a process of a range last noted that it runs. All rows have the same number of shards, and no two ranges overlap.
alive = rowless_table(
    "alive",
    Column("shard_count", Integer, primary_key=True, autoincrement=False),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, nullable=False),
    Column("noted_at", UtcDateTime, nullable=False),
)

# The earliest time at which the next shard of a bucket may identify with Discord.
identifies = rowless_table(
    "identifies",
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("free_at", UtcDateTime, nullable=False),
)


_LEASES_LOCK: Final = 0

_SELECT_BUCKET: Final = select(identifies.c.free_at).where(identifies.c.bucket == bindparam("which"))

_INSERT_LEASE: Final = insert(shard_leases)
_OVERLAP: Final = (
    shard_leases.c.shard_count == bindparam("of_count"),
    shard_leases.c.first <= bindparam("to_last"),
    shard_leases.c.last >= bindparam("from_first"),
)
_IS_OWN: Final = (
    shard_leases.c.shard_count == bindparam("of_count"),
    shard_leases.c.first == bindparam("from_first"),
    shard_leases.c.owner == bindparam("by"),
)
_SELECT_OVERLAPPING: Final = select(shard_leases).where(*_OVERLAP)
# Until the transaction ends, their owners can't renew them.
_LOCK_OVERLAPPING: Final = _SELECT_OVERLAPPING.with_for_update()
_DELETE_OVERLAPPING: Final = delete(shard_leases).where(*_OVERLAP)
_RENEW: Final = (
    update(shard_leases).where(*_IS_OWN).values(expires_at=bindparam("until"), is_ready=bindparam("connected"))
)
_RELEASE: Final = delete(shard_leases).where(*_IS_OWN)


def select_served(
    connection: Connection, shards: ShardRange, statement: Executable, parameters: Values
) -> CursorResult[Any]:
    """Run a query in which `is_served` means some shards."""
    own = {"shard_count": shards.count, "first_shard": shards.first, "last_shard": shards.last}
    return connection.execute(statement, {**parameters, **own})


def is_served(guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a server, or direct messages (NULL), belong to the process that asks."""
    shard = func.coalesce(guild_id, 0) // (1 << SERVER_BITS) % bindparam("shard_count", ALL_SHARDS.count)
    return shard.between(bindparam("first_shard", ALL_SHARDS.first), bindparam("last_shard", ALL_SHARDS.last))


def reserve_identify(connection: Connection, bucket: int, every: timedelta, most: timedelta) -> timedelta:
    """Reserve the next time at which a shard of a bucket may identify, and return how long it has to wait.

    A time that is further away than `most` can't be right, and is not waited for.
    """
    lock(connection, 1 + bucket)
    now = read_clock(connection)
    free_at = connection.execute(_SELECT_BUCKET, {"which": bucket}).scalar_one_or_none()
    at = free_at if free_at is not None and now < free_at <= now + most else now
    upsert(connection, identifies.c.bucket, bucket, {"free_at": at + every})
    return at - now


def acquire_lease(connection: Connection, shards: ShardRange, owner: str, lasts: timedelta) -> bool:
    """Lease a range, unless another process has a lease of one of its shards.

    A lease that ends much later than one can can't be right: the clock was wrong. It does not count.
    """
    lock(connection, _LEASES_LOCK)
    now = read_clock(connection)
    for row in connection.execute(_LOCK_OVERLAPPING, key_of(shards)):
        if row.owner != owner and now < row.expires_at <= now + 2 * lasts:
            return False
    connection.execute(_DELETE_OVERLAPPING, key_of(shards))
    lease = {"shard_count": shards.count, "first": shards.first, "last": shards.last, "owner": owner}
    connection.execute(_INSERT_LEASE, {**lease, "expires_at": now + lasts, "is_ready": False})
    return True


def renew_lease(connection: Connection, shards: ShardRange, owner: str, lasts: timedelta, *, is_ready: bool) -> bool:
    """Let one's lease of a range last longer; return False if another process has taken one of its shards."""
    values = {"by": owner, "until": read_clock(connection) + lasts, "connected": is_ready}
    return connection.execute(_RENEW, {**key_of(shards), **values}).rowcount > 0


def release_lease(connection: Connection, shards: ShardRange, owner: str) -> None:
    """End one's lease of a range, if one has it."""
    connection.execute(_RELEASE, {**key_of(shards), "by": owner})


def find_leases(connection: Connection, shards: ShardRange) -> Sequence[Lease]:
    """Return the leases of the shards of a range; even those that have ended, if nobody has taken the shards since."""
    found = connection.execute(_SELECT_OVERLAPPING, key_of(shards))
    return [Lease(ShardRange(row.first, row.last, row.shard_count), row.owner, is_ready=row.is_ready) for row in found]


def key_of(shards: ShardRange) -> dict[str, int]:
    """Return the parameters of statements about a range."""
    return {"of_count": shards.count, "from_first": shards.first, "to_last": shards.last}
