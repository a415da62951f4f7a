"""Leases: a process that has a lease of a range of shards serves their servers, and no other one does."""

import asyncio
import contextlib
import logging
import secrets
import time
from collections.abc import Awaitable, Callable, Sequence
from datetime import timedelta
from enum import Enum, auto
from typing import Final

from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.jobs import shard_storage
from bot.platform.jobs.model import Lease, ShardRange

log = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=20)
"""How long a range stays with a process that has died: others take over within this and `LOOK_EVERY`."""

RENEW_EVERY: Final = timedelta(seconds=5)
LOOK_EVERY: Final = timedelta(seconds=2)
"""How often a process looks for a free range, notes that it is connected, or tries again to renew its lease."""

GIVE_UP_AFTER: Final = timedelta(minutes=3)
"""How long a process goes on that can't renew its lease: longer than a failover of the database takes."""

TAKEN_WITHIN: Final = 2 * LOOK_EVERY
"""By when a process that waits for a range has taken one that is given back."""

_READY_WITHIN: Final = timedelta(seconds=30)
_READY_WITHIN_PER_SHARD: Final = timedelta(seconds=6)
"""By when it is connected, if all goes well. With the shards of the whole bot, because those of all new processes wait
for each other: small bots may connect a shard in five seconds."""

_ASK_EVERY: Final = timedelta(seconds=0.25)


class LeaseLoss(Enum):
    """Why a process has no lease any more."""

    TAKEN = auto()
    """Another process has it."""
    CUT_OFF = auto()
    """The database can't be reached. Another process that can may serve the shards, and both get their clicks."""


class ShardLease:
    """Leases one of some ranges for this process.

    The store's version check stays the authority about moves: should a process go on for a moment after it has lost its
    lease, it can spoil nothing.
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
        """Return the age of the last renewal in seconds; None before there is a lease, and once it is given back."""
        return None if self._renewed_at is None else self._clock() - self._renewed_at

    async def acquire(self, ended: asyncio.Event) -> ShardRange | None:
        """Wait until a range is free, and lease it; return None if the process is told to end first.

        Raises:
            StoreUnavailable: The database does not work at the start; later it is waited for.
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
        """Renew a lease until it is lost, and note in it when this process is connected."""
        failing_since: float | None = None
        is_ready = False
        while True:
            is_settled = is_ready and failing_since is None
            await self._sleep((RENEW_EVERY if is_settled else LOOK_EVERY).total_seconds())
            is_ready = connected.is_set()
            try:
                if not await self._db.maintain(
                    shard_storage.renew_lease, shards, self._owner, LEASE, is_ready=is_ready
                ):
                    return LeaseLoss.TAKEN
                self._renewed_at, failing_since = self._clock(), None
            except StoreUnavailable as fault:
                log.debug("the lease of shards %s can't be renewed: %s", shards, fault)
                failing_since = self._clock() if failing_since is None else failing_since
                if self._clock() - failing_since >= GIVE_UP_AFTER.total_seconds():
                    return LeaseLoss.CUT_OFF

    async def hand_over(self, shards: ShardRange) -> None:
        """End the lease, and wait until processes that take the shards are connected; not for long, if none does.

        Meanwhile all serve the servers of the range, so that no click goes unanswered.
        """
        try:
            await self._db.maintain(shard_storage.release_lease, shards, self._owner)
        except StoreUnavailable as fault:
            log.warning("other processes can take shards %s over in %s: %s", shards, LEASE, fault)
            return
        self._renewed_at = None
        await self._wait_for_successors(shards)

    async def _acquire_free(self) -> ShardRange | None:
        for shards in self._ranges:
            if await self._db.maintain(shard_storage.acquire_lease, shards, self._owner, LEASE):
                return shards
        return None

    async def _wait_for_successors(self, shards: ShardRange) -> None:
        began_at = free_since = self._clock()
        missing = set(shards.numbers)
        leases: Sequence[Lease] = ()
        while True:
            with contextlib.suppress(StoreUnavailable):
                leases = await self._db.read(shard_storage.find_leases, shards)
            missing.difference_update(*(each.shards.numbers for each in leases if each.is_ready))
            now = self._clock()
            if leases:
                free_since = now
            is_nobody_left = now - free_since > TAKEN_WITHIN.total_seconds()
            if not missing or is_nobody_left or now - began_at > longest_hand_over(shards.count).total_seconds():
                return
            await self._sleep(_ASK_EVERY.total_seconds())


def split_shards(count: int, size: int) -> Sequence[ShardRange]:
    """Return ranges of at most `size` shards that make up all of them."""
    return [ShardRange(first, min(first + size, count) - 1, count) for first in range(0, count, size)]


def longest_hand_over(shard_count: int) -> timedelta:
    """Return how long a process of a bot with so many shards serves on for one that does not get connected."""
    return _READY_WITHIN + shard_count * _READY_WITHIN_PER_SHARD
