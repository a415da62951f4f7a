"""Leases: a process that has a lease of a range of shards serves their servers, and no other one does."""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Protocol

from bot.tables.clock import utc_now
from bot.tables.ports import StoreUnavailable
from bot.tables.shards import ShardRange

log = logging.getLogger(__name__)

LEASE: Final = timedelta(seconds=20)
"""How long a range stays with a process that has died: others take over within this and `LOOK_EVERY`."""

RENEW_EVERY: Final = timedelta(seconds=2)
LOOK_EVERY: Final = timedelta(seconds=2)

TAKEN_WITHIN: Final = 2 * LOOK_EVERY
"""By when a process that waits for a range has taken one that is given back."""

READY_WITHIN: Final = timedelta(seconds=30)
"""By when it is connected, if all goes well."""

_ASK_EVERY: Final = timedelta(seconds=0.25)


@dataclass(frozen=True, slots=True)
class Lease:
    """Which process has a range."""

    shards: ShardRange
    owner: str
    """Stands for a process."""
    expires_at: datetime
    is_ready: bool = False
    """Whether the owner is connected."""


class LeaseStore(Protocol):
    """Stores leases. Each is a transaction and may raise StoreUnavailable."""

    async def lease_shards(self, lease: Lease, now: datetime) -> bool:
        """Lease a range, or renew one's lease; return False if another process has it."""

    async def release_shards(self, shards: ShardRange, owner: str, now: datetime) -> None:
        """End one's lease of a range, if one has it."""

    async def find_lease(self, shards: ShardRange) -> Lease | None:
        """Return the latest lease of a range, even if it has ended."""


class ShardLease:
    """Leases one of some ranges for this process.

    The store's version check stays the authority about moves: should a process go on for a moment after it has lost its
    lease, it can spoil nothing.
    """

    def __init__(
        self,
        store: LeaseStore,
        ranges: Sequence[ShardRange],
        clock: Callable[[], datetime] = utc_now,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._store = store
        self._ranges = ranges
        self._clock = clock
        self._sleep = sleep
        self._owner = secrets.token_hex(8)
        self._is_ready = False
        self._renewed_at: datetime | None = None

    def seconds_since_renewal(self) -> float | None:
        """Return the age of the last renewal in seconds; None while the process waits for a lease."""
        return None if self._renewed_at is None else max(0.0, (self._clock() - self._renewed_at).total_seconds())

    async def acquire(self) -> ShardRange:
        """Wait until a range is free, and lease it.

        Raises:
            StoreUnavailable: The database does not work.
        """
        is_first = True
        while True:
            for shards in self._ranges:
                if await self._extend(shards):
                    log.info("serving shards %s", shards)
                    return shards
            if is_first:
                log.info("other processes serve all the shards that this one may serve; waiting for one of them to end")
            is_first = False
            await self._sleep(LOOK_EVERY.total_seconds())

    async def keep(self, shards: ShardRange, connected: asyncio.Event) -> None:
        """Renew a lease until another process has it, and note in it when this one is connected."""
        is_ours = True
        while is_ours:
            await self._sleep(RENEW_EVERY.total_seconds())
            self._is_ready = connected.is_set()
            try:
                is_ours = await self._extend(shards)
            except StoreUnavailable as fault:
                log.debug("the lease of shards %s can't be renewed: %s", shards, fault)

    async def hand_over(self, shards: ShardRange) -> None:
        """End the lease, and wait until a process that takes the range is connected; not for long, if none does.

        Meanwhile both serve the servers of the range, so that no click goes unanswered.
        """
        try:
            await self._store.release_shards(shards, self._owner, self._clock())
            await self._wait_for_successor(shards)
        except StoreUnavailable as fault:
            log.warning("other processes can take shards %s over in %s: %s", shards, LEASE, fault)

    async def _wait_for_successor(self, shards: ShardRange) -> None:
        given_back_at = self._clock()
        while True:
            lease = await self._store.find_lease(shards)
            is_taken = lease is not None and lease.owner != self._owner
            if is_taken and lease is not None and lease.is_ready:
                return
            await self._sleep(_ASK_EVERY.total_seconds())
            if self._clock() - given_back_at > (READY_WITHIN if is_taken else TAKEN_WITHIN):
                return

    async def _extend(self, shards: ShardRange) -> bool:
        now = self._clock()
        is_ours = await self._store.lease_shards(Lease(shards, self._owner, now + LEASE, self._is_ready), now)
        if is_ours:
            self._renewed_at = now
        return is_ours


def split_shards(count: int, size: int) -> Sequence[ShardRange]:
    """Return ranges of at most `size` shards that make up all of them."""
    return [ShardRange(first, min(first + size, count) - 1, count) for first in range(0, count, size)]
