"""Keeps shards from identifying more often than Discord allows, whichever processes they are in."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.jobs import shard_storage

log = logging.getLogger(__name__)

IDENTIFY_EVERY: Final = timedelta(seconds=5.5)
"""How often a shard of a bucket may identify: Discord's five seconds, and half a second because connecting takes time.

A shard's bucket is its number modulo the bot's `max_concurrency`.

Source: https://docs.discord.com/developers/events/gateway#rate-limiting
"""


class IdentifyGate:
    """Lets shards identify at the times that Discord allows."""

    def __init__(
        self,
        store: Database,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store = store
        self._sleep = sleep
        self._seconds = seconds
        self._free_at: dict[int, float] = {}
        """When the shards of this process leave each bucket free."""
        self.max_concurrency = 1
        """How many buckets the bot has; Discord tells it at the start."""

    async def wait(self, shard_id: int, shard_count: int) -> None:
        """Wait until a shard may identify; while the database does not work, only for others of this process.

        The shard of a bot that has only one does not wait, as with discord.py: it identifies but once a start.
        """
        if shard_count == 1:
            return
        every, bucket = IDENTIFY_EVERY.total_seconds(), shard_id % self.max_concurrency
        try:
            reserved = await self._store.maintain(
                shard_storage.reserve_identify, bucket, IDENTIFY_EVERY, shard_count * IDENTIFY_EVERY
            )
        except StoreUnavailable as fault:
            log.debug("shard %d identifies without asking other processes: %s", shard_id, fault)
            # A shard of another process may just have identified.
            pause = max(every, self._free_at.get(bucket, 0.0) - self._seconds())
        else:
            pause = reserved.total_seconds()
        free_at = self._seconds() + pause + every
        self._free_at[bucket] = max(free_at, self._free_at.get(bucket, free_at))
        await self._sleep(pause)
