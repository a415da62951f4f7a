"""Conditions and rows for sharing the work between processes: ranges of shards, their leases, and identifies."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    CursorResult,
    Executable,
    bindparam,
    func,
    insert,
    or_,
    select,
    update,
)

from bot.community.shard_leases import Lease
from bot.store import rows
from bot.store.schema import identifies, shard_leases
from bot.store.writing import try_insert
from bot.tables.shards import ALL_SHARDS, SERVER_BITS, ShardRange

_INSERT_BUCKET: Final = insert(identifies).returning(identifies.c.bucket)
_IS_BUCKET: Final = identifies.c.bucket == bindparam("which")
_LOCK_BUCKET: Final = select(identifies.c.free_at).where(_IS_BUCKET).with_for_update()
_RESERVE: Final = update(identifies).where(_IS_BUCKET).values(free_at=bindparam("later"))

_INSERT_LEASE: Final = insert(shard_leases).returning(shard_leases.c.first)
_IS_RANGE: Final = (
    shard_leases.c.shard_count == bindparam("of_count"),
    shard_leases.c.first == bindparam("from_first"),
    shard_leases.c.last == bindparam("to_last"),
)
_IS_OWN: Final = shard_leases.c.owner == bindparam("by")
_EXTEND: Final = (
    update(shard_leases)
    .where(*_IS_RANGE, or_(_IS_OWN, shard_leases.c.expires_at <= bindparam("now")))
    .values(owner=bindparam("by"), expires_at=bindparam("until"), is_ready=bindparam("connected"))
)
_END: Final = update(shard_leases).where(*_IS_RANGE, _IS_OWN).values(expires_at=bindparam("until"))
_SELECT: Final = select(shard_leases).where(*_IS_RANGE)


@dataclass(frozen=True, slots=True)
class ServedConnection:
    """A connection of a process that has some of the shards."""

    connection: Connection
    shards: ShardRange

    def select(self, statement: Executable, parameters: rows.Values) -> CursorResult[Any]:
        """Run a query in which `is_served` means those shards."""
        own = {"shard_count": self.shards.count, "first_shard": self.shards.first, "last_shard": self.shards.last}
        return self.connection.execute(statement, {**parameters, **own})


def is_served(guild_id: Column[Any]) -> ColumnElement[bool]:
    """Return the condition that a server, or direct messages (NULL), belong to the process that asks."""
    shard = func.coalesce(guild_id, 0) // (1 << SERVER_BITS) % bindparam("shard_count", ALL_SHARDS.count)
    return shard.between(bindparam("first_shard", ALL_SHARDS.first), bindparam("last_shard", ALL_SHARDS.last))


def reserve_identify(connection: Connection, bucket: int, now: datetime, every: timedelta, most: timedelta) -> datetime:
    """Reserve the next time at which a shard of a bucket may identify, and return it.

    A time that is further away than `most` can't be right, and is not waited for.
    """
    try_insert(connection, _INSERT_BUCKET, {"bucket": bucket, "free_at": now})
    free_at = connection.execute(_LOCK_BUCKET, {"which": bucket}).scalar_one()
    at = free_at if now < free_at <= now + most else now
    connection.execute(_RESERVE, {"which": bucket, "later": at + every})
    return at


def lease_shards(connection: Connection, lease: Lease, now: datetime) -> bool:
    """Lease a range, or renew one's lease; return False if another process has it."""
    shards, row = lease.shards, {"owner": lease.owner, "expires_at": lease.expires_at, "is_ready": lease.is_ready}
    new = {"shard_count": shards.count, "first": shards.first, "last": shards.last, **row}
    values = {"by": lease.owner, "until": lease.expires_at, "connected": lease.is_ready, "now": now}
    # Nearly always it is renewed.
    if connection.execute(_EXTEND, {**_key_of(shards), **values}).rowcount:
        return True
    return try_insert(connection, _INSERT_LEASE, new)


def release_shards(connection: Connection, shards: ShardRange, owner: str, now: datetime) -> None:
    """End one's lease of a range, if one has it."""
    connection.execute(_END, {**_key_of(shards), "by": owner, "until": now})


def find_lease(connection: Connection, shards: ShardRange) -> Lease | None:
    """Return the latest lease of a range, even if it has ended."""
    row = connection.execute(_SELECT, _key_of(shards)).one_or_none()
    return None if row is None else Lease(shards, row.owner, row.expires_at, row.is_ready)


def _key_of(shards: ShardRange) -> dict[str, int]:
    return {"of_count": shards.count, "from_first": shards.first, "to_last": shards.last}
