"""Leases of ranges of shards: only the process that holds a lease serves the servers of its range."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
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

from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.database.sql import UtcDateTime, Values, lock, read_clock, rowless_table, upsert
from bot.platform.places import ALL_SHARDS, ShardRange

log = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=20)
"""How long a lease outlives its process. Others take over within this time plus `LOOK_EVERY`."""

RENEW_EVERY: Final = timedelta(seconds=5)
LOOK_EVERY: Final = timedelta(seconds=2)
"""The interval at which a process looks for a free range, notes that it is connected, or retries a renewal."""

GIVE_UP_AFTER: Final = timedelta(minutes=3)
"""How long a process goes on without renewing its lease; longer than a failover of the database."""

TAKEN_WITHIN: Final = 2 * LOOK_EVERY
"""A waiting process takes a released range within this time."""

_READY_WITHIN: Final = timedelta(seconds=30)
_READY_WITHIN_PER_SHARD: Final = timedelta(seconds=6)
"""A process is normally connected within these times, taken together. The shards of the whole bot count, because those
of all new processes wait for each other, and small bots may connect a shard only every five seconds."""

_ASK_EVERY: Final = timedelta(seconds=0.25)

SERVER_BITS: Final = 22
"""The number of low bits of a server's id that do not influence its shard.

Source: https://docs.discord.com/developers/events/gateway#sharding
"""


@dataclass(frozen=True, slots=True)
class Lease:
    """The lease of a range by a process."""

    shards: ShardRange
    owner: str
    """The id of the process."""
    is_ready: bool
    """Whether the owner is connected."""


# The process that holds a range of shards, and the end of its lease. Afterwards another process may take some of them.
# Ranges of current leases do not overlap.
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
# The owners can't renew locked leases until the transaction ends.
_LOCK_OVERLAPPING: Final = _SELECT_OVERLAPPING.with_for_update()
_DELETE_OVERLAPPING: Final = delete(shard_leases).where(*_OVERLAP)
_RENEW: Final = (
    update(shard_leases).where(*_IS_OWN).values(expires_at=bindparam("until"), is_ready=bindparam("connected"))
)
_RELEASE: Final = delete(shard_leases).where(*_IS_OWN)


def select_served(
    connection: Connection, shards: ShardRange, statement: Executable, parameters: Values
) -> CursorResult[Any]:
    """Run a query in which `is_served` refers to the given shards."""
    own = {"shard_count": shards.count, "first_shard": shards.first, "last_shard": shards.last}
    return connection.execute(statement, {**parameters, **own})


def is_served(guild_id: ColumnElement[Any]) -> ColumnElement[bool]:
    """Return the condition that a server, or direct messages (NULL), belong to the querying process."""
    shard = func.coalesce(guild_id, 0) // (1 << SERVER_BITS) % bindparam("shard_count", ALL_SHARDS.count)
    return shard.between(bindparam("first_shard", ALL_SHARDS.first), bindparam("last_shard", ALL_SHARDS.last))


def reserve_identify(connection: Connection, bucket: int, every: timedelta, most: timedelta) -> timedelta:
    """Reserve the next time at which a shard of a bucket may identify, and return how long to wait for it.

    A stored time further away than `most` must be wrong, and is ignored.
    """
    lock(connection, 1 + bucket)
    now = read_clock(connection)
    free_at = connection.execute(_SELECT_BUCKET, {"which": bucket}).scalar_one_or_none()
    at = free_at if free_at is not None and now < free_at <= now + most else now
    upsert(connection, identifies.c.bucket, bucket, {"free_at": at + every})
    return at - now


def acquire_lease(connection: Connection, shards: ShardRange, owner: str, lasts: timedelta) -> bool:
    """Lease a range, unless another process has a lease of one of its shards.

    A lease with an impossibly late end, left by a wrong clock, does not count.
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
    """Renew the owner's lease of a range; return False if another process has taken one of its shards."""
    values = {"by": owner, "until": read_clock(connection) + lasts, "connected": is_ready}
    return connection.execute(_RENEW, {**key_of(shards), **values}).rowcount > 0


def release_lease(connection: Connection, shards: ShardRange, owner: str) -> None:
    """End the owner's lease of a range, if there is one."""
    connection.execute(_RELEASE, {**key_of(shards), "by": owner})


def find_leases(connection: Connection, shards: ShardRange) -> Sequence[Lease]:
    """Return the leases of a range's shards, including expired leases of shards that nobody has taken since."""
    found = connection.execute(_SELECT_OVERLAPPING, key_of(shards))
    return [Lease(ShardRange(row.first, row.last, row.shard_count), row.owner, is_ready=row.is_ready) for row in found]


def key_of(shards: ShardRange) -> dict[str, int]:
    """Return the parameters of statements about a range."""
    return {"of_count": shards.count, "from_first": shards.first, "to_last": shards.last}


class LeaseLoss(Enum):
    """The reason why a process has lost its lease."""

    TAKEN = auto()
    """Another process has the lease."""
    CUT_OFF = auto()
    """This process can't reach the database. Another process may serve the shards, and both get their clicks."""


class ShardLease:
    """Leases one of several ranges for this process.

    The store's revision check remains the authority on moves, so a process that goes on for a moment after losing its
    lease does no harm.
    """

    def __init__(
        self,
        db: Database,
        ranges: Sequence[ShardRange],
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._db = db
        self._ranges = ranges
        self._clock = clock
        self._sleep = sleep
        self._owner = secrets.token_hex(8)
        self._renewed_at: float | None = None

    def seconds_since_renewal(self) -> float | None:
        """Return the age of the last renewal in seconds; None before the lease and after its release."""
        return None if self._renewed_at is None else self._clock() - self._renewed_at

    async def acquire(self, ended: asyncio.Event) -> ShardRange | None:
        """Wait for a free range and lease it; return None if `ended` is set first.

        Raises:
            StoreUnavailable: The database does not work at the first attempt; later ones wait for it.
        """
        shards = await self._acquire_free()
        if shards is None:
            log.info("other processes serve all the shards that this one may serve; waiting for one of them to end")
        while shards is None:
            await self._sleep(LOOK_EVERY.total_seconds())
            if ended.is_set():
                return None
            try:
                shards = await self._acquire_free()
            except StoreUnavailable as fault:
                log.debug("no shards can be leased: %s", fault)
        self._renewed_at = self._clock()
        log.info("serving shards %s", shards)
        return shards

    async def keep(self, shards: ShardRange, connected: asyncio.Event) -> LeaseLoss:
        """Renew a lease until it is lost, and record in it when this process is connected."""
        failing_since: float | None = None
        is_ready = False
        while True:
            is_settled = is_ready and failing_since is None
            await self._sleep((RENEW_EVERY if is_settled else LOOK_EVERY).total_seconds())
            is_ready = connected.is_set()
            try:
                if not await self._db.maintain(renew_lease, shards, self._owner, LEASE, is_ready=is_ready):
                    return LeaseLoss.TAKEN
                self._renewed_at, failing_since = self._clock(), None
            except StoreUnavailable as fault:
                log.debug("the lease of shards %s can't be renewed: %s", shards, fault)
                failing_since = self._clock() if failing_since is None else failing_since
                if self._clock() - failing_since >= GIVE_UP_AFTER.total_seconds():
                    return LeaseLoss.CUT_OFF

    async def hand_over(self, shards: ShardRange) -> None:
        """End the lease, and wait until the processes that take the shards are connected, or briefly if none does.

        Meanwhile all these processes serve the range, so that no click goes unanswered.
        """
        try:
            await self._db.maintain(release_lease, shards, self._owner)
        except StoreUnavailable as fault:
            log.warning("other processes can take shards %s over in %s: %s", shards, LEASE, fault)
            return
        self._renewed_at = None
        began_at = free_since = self._clock()
        missing = set(shards.numbers)
        leases: Sequence[Lease] = ()
        while True:
            with contextlib.suppress(StoreUnavailable):
                leases = await self._db.read(find_leases, shards)
            missing.difference_update(*(lease.shards.numbers for lease in leases if lease.is_ready))
            now = self._clock()
            if leases:
                free_since = now
            is_nobody_left = now - free_since > TAKEN_WITHIN.total_seconds()
            if not missing or is_nobody_left or now - began_at > longest_hand_over(shards.count).total_seconds():
                return
            await self._sleep(_ASK_EVERY.total_seconds())

    async def _acquire_free(self) -> ShardRange | None:
        for shards in self._ranges:
            if await self._db.maintain(acquire_lease, shards, self._owner, LEASE):
                return shards
        return None


def split_shards(count: int, size: int) -> Sequence[ShardRange]:
    """Split all shards into ranges of at most `size` shards."""
    return [ShardRange(first, min(first + size, count) - 1, count) for first in range(0, count, size)]


def longest_hand_over(shard_count: int) -> timedelta:
    """Return the longest time that a process keeps serving for a successor that does not connect."""
    return _READY_WITHIN + shard_count * _READY_WITHIN_PER_SHARD
