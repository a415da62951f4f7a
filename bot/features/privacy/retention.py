"""Deletes, once a day, what was kept long enough: click ids, lobbies never started, and names of people long unseen."""

import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final, TypeVar

from bot.features.privacy import erasure, retention_storage, server_erasure
from bot.features.privacy.model import RetentionLimits
from bot.features.privacy.people import BATCH
from bot.platform.clock import Clock
from bot.platform.database import key_values
from bot.platform.database.database import Database
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.jobs import RUN_SECONDS
from bot.platform.jobs.model import Job

T = TypeVar("T")


RETENTION: Final = "retention"
KEEP_CLICK_IDS: Final = timedelta(days=1)
KEEP_LOBBIES: Final = timedelta(days=7)
KEEP_NAMES: Final = timedelta(days=730)

_EVERY: Final = timedelta(days=1)
_STRETCH: Final = 2000
_TABLES_BATCH: Final = 50
_MAX_QUIET: Final = 100_000
_DONE_KEY: Final = "retention done"
_PLACE_KEY: Final = "retention at"
_FIRST: Final = datetime(2015, 1, 1, tzinfo=UTC)


class RetentionService:
    """Walks through all tables once a day; only those that have changed since the day before cost a write."""

    def __init__(
        self, store: Database, clock: Callable[[], Clock], seconds: Callable[[], float] = time.monotonic
    ) -> None:
        self._store = store
        self._clock = clock
        self._seconds = seconds

    async def schedule(self) -> None:
        """Have the daily run done, if it is not scheduled yet; nothing has been kept for long before the first one."""
        await self._store.write(job_storage.add, Job(RETENTION, "daily", self._clock()() + _EVERY))

    async def run(self, job: Job) -> datetime | None:
        """Delete what had been kept long enough when a job was due; after some time, go on in the next run.

        The clock may be wrong now, but not at both looks that found the job due.
        """
        until = self._seconds() + RUN_SECONDS
        started, after_id = await self._place(job)
        done = await self._store.read(key_values.get_value, _DONE_KEY)
        limits = _limits(
            started,
            datetime.fromisoformat(done or _FIRST.isoformat()),
        )
        is_done = False
        while not is_done:
            if self._seconds() > until:
                return self._clock()()
            walk = await self._store.read(retention_storage.walk_tables, after_id, limits, _STRETCH)
            for table_ids in pieces(walk.changed, _TABLES_BATCH):
                await self._store.maintain(retention_storage.clear_click_ids, table_ids, limits.clicks_until)
            for table_ids in pieces(walk.never_started, _TABLES_BATCH):
                await self._store.maintain(server_erasure.delete_tables, table_ids)
            await self._forget(walk.quiet_people, limits)
            after_id, is_done = walk.last_id, walk.is_done
            await self._store.maintain(key_values.set_value, _PLACE_KEY, f"{started.isoformat()} {after_id}")
        people = await self._store.read(
            retention_storage.find_quiet_people, limits.quiet_since, limits.quiet_until, _MAX_QUIET
        )
        await self._forget(people, limits)
        await self._store.maintain(key_values.set_value, _DONE_KEY, started.isoformat())
        await self._store.maintain(key_values.set_value, _PLACE_KEY, "")
        return max(started + _EVERY, self._clock()())

    async def _place(self, job: Job) -> tuple[datetime, int]:
        """Return when the run began, and the last table that it has looked at."""
        noted = await self._store.read(key_values.get_value, _PLACE_KEY)
        if not noted:
            return job.due_at, 0
        started, after_id = noted.split()
        return datetime.fromisoformat(started), int(after_id)

    async def _forget(self, people: Sequence[int], limits: RetentionLimits) -> None:
        forgotten = False
        for user_id in people:
            while await self._store.maintain(retention_storage.forget_name, user_id, limits.quiet_until, BATCH):
                forgotten = True
        if forgotten:
            await self._store.maintain(erasure.clear_caches)


def _limits(started: datetime, before: datetime) -> RetentionLimits:
    """Return the limits of a run after an earlier one."""
    return RetentionLimits(
        clicks_since=before - KEEP_CLICK_IDS,
        clicks_until=started - KEEP_CLICK_IDS,
        lobbies_until=started - KEEP_LOBBIES,
        quiet_since=before - KEEP_NAMES,
        quiet_until=started - KEEP_NAMES,
    )


def pieces(items: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield some items at a time."""
    return (items[start : start + size] for start in range(0, len(items), size))
