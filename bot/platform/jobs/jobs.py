"""Runs due jobs, stored as rows so that a restart loses none and two processes never do the same one."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Coroutine, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, TypeAlias

from bot.platform.clock import Downtime
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.jobs import downtimes, storage
from bot.platform.jobs.downtimes import ALIVE_EVERY, MAX_PAUSE, MAX_RESTART
from bot.platform.jobs.looks import Look
from bot.platform.jobs.storage import Job
from bot.platform.tasks import TaskSet

log = logging.getLogger(__name__)

LEASE: Final = timedelta(minutes=5)
"""How long a claim lasts unless it is prolonged. Then another process does the job, as if this one had died."""

PROLONG_EVERY: Final = timedelta(minutes=1)
"""The interval at which the claim of a running job is prolonged."""

LIMIT: Final = timedelta(hours=1)
"""How long a handler may take before it is cancelled and the job is repeated."""

RUN_SECONDS: Final = 120.0
"""After this long a job pauses until its next run, so that the process can stop in between."""


SECOND_LOOK_SECONDS = 150.0
"""The time between the two looks at the clock that must find an irrevocable job due; one look may be wrong."""


_LONG_SILENCE: Final = MAX_PAUSE / 2
"""After this silence there may be downtime, perhaps noted by another process later than this one's last note."""

_BATCH_SIZE: Final = 50

_ROUND: Final = "round"


JobHandler: TypeAlias = Callable[[Job], Awaitable[datetime | None]]
"""Does a job, and returns when it is due again, or None.

A handler is called again if it raises, takes longer than `LIMIT` or its process dies, so it must be idempotent.
"""


@dataclass(slots=True)
class _Claim:
    """A job that this process does now or next."""

    job: Job
    until: set[datetime]
    """The possible ends of the claim; several if it is unknown which one the store has."""


@dataclass(frozen=True, slots=True)
class DowntimeListener:
    """Functions to call about downtimes."""

    leave_out: Callable[[Iterable[Downtime]], None]
    """Excludes downtimes from this process's measured times; may get the same one again."""
    show_later_ends: Callable[[Downtime], Coroutine[None, None, None]]
    """Shows the new times of jobs that a downtime has moved; called in only one process."""


class JobRunner:
    """Passes due jobs to their handlers, and notes that the process runs."""

    def __init__(
        self,
        db: Database,
        clock: Callable[[], datetime],
        handlers: Mapping[str, JobHandler],
        listener: DowntimeListener | None = None,
        *,
        irrevocable: Collection[str] = (),
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        """Initialize.

        Args:
            db: The database with the jobs.
            clock: Decides when jobs are due.
            handlers: The handlers by kind of job.
            listener: Informed about downtime.
            irrevocable: The kinds that can't be undone, which need two looks at the clock.
            seconds: A monotonic clock, which measures the time between two looks.
        """
        self._db = db
        self._clock = clock
        self._handlers = handlers
        self._kinds = [kind for kind in handlers if kind not in irrevocable]
        self._irrevocable_kinds = [kind for kind in handlers if kind in irrevocable]
        self._listener = listener
        self._seconds = seconds
        self._noted_at: datetime | None = None
        self._first_look: tuple[float, datetime] | None = None
        self._passed: datetime | None = None
        """The time up to which two looks at the clock have found jobs due."""
        self._tasks = TaskSet("job")
        self._irrevocable_tasks = TaskSet("irrevocable job")
        """A set of its own, because some irrevocable jobs run for minutes and no deadline may wait for them."""
        self._running = dict[tuple[str, str], _Claim]()
        self._next = dict[tuple[str, str], _Claim]()
        """Running jobs that were rescheduled meanwhile and will run once more."""

    def look(self) -> Look:
        """Return the look that finds due jobs."""
        return Look("jobs", storage.HAS_DUE, lambda now: {"now": now}, self.check)

    async def note_alive(self) -> None:
        """Note that this process runs, and exclude the downtime of its shards.

        Call this before anything else, because downtime must not count against anyone, and then regularly, because it
        also prolongs claims.

        Raises:
            StoreUnavailable: The database does not work.
        """
        await self._note_alive()
        old = self._clock() + LEASE - PROLONG_EVERY
        for key, running in list(self._running.items()):
            claim = self._next.get(key, running)
            if max(claim.until) < old:
                await self._prolong(claim)

    async def _note_alive(self) -> None:
        now, noted_at = self._clock(), self._noted_at
        self._look_at_clock(now)
        if noted_at is not None and timedelta() <= now - noted_at < ALIVE_EVERY:
            return
        starts = noted_at is None
        found = await self._db.maintain(
            downtimes.note_alive, self._db.shards, now, MAX_RESTART if starts else MAX_PAUSE, starts=starts
        )
        for downtime in found:
            span = downtime.until - downtime.since
            log.info("left %s of downtime out of all deadlines in shards %s", span, downtime.shards)
            if self._listener is not None:
                self._tasks.start(("downtime", downtime), self._listener.show_later_ends(downtime))
        if self._listener is not None and (noted_at is None or now - noted_at > _LONG_SILENCE):
            self._listener.leave_out(await self._db.read(downtimes.find_all, self._db.shards))
        self._noted_at = now

    async def check(self) -> None:
        """Start due jobs in the background.

        Raises:
            StoreUnavailable: The database does not work.
        """
        await self.note_alive()
        if self._kinds:
            self._tasks.start(_ROUND, self._start_due(self._tasks, self._kinds))
        if self._irrevocable_kinds and self._passed is not None:
            tasks = self._irrevocable_tasks
            # The clock may have been wrong at both looks and corrected since.
            until = min(self._passed, self._clock())
            tasks.start(_ROUND, self._start_due(tasks, self._irrevocable_kinds, until))

    async def _start_due(self, tasks: TaskSet, kinds: Collection[str], until: datetime | None = None) -> None:
        """Start jobs of some kinds that are due, or were due at a time, in batches."""
        is_full = True
        while is_full:
            now = self._clock()
            lasts_until = now + LEASE
            claimed = await self._db.maintain(
                storage.claim, self._db.shards, kinds, until or now, lasts_until, _BATCH_SIZE
            )
            for job in claimed:
                self._take(tasks, _Claim(job, {lasts_until}))
            is_full = len(claimed) == _BATCH_SIZE
            await tasks.wait_for_room(_BATCH_SIZE)

    def _take(self, tasks: TaskSet, claim: _Claim) -> None:
        """Start a claimed job. If it is running here already, let it finish, and repeat it if it was rescheduled."""
        key = claim.job.kind, claim.job.key
        if not tasks.is_busy(key):
            self._running[key] = claim
            tasks.start(key, self._run(key, claim))
        elif claim.job.due_at == self._running[key].job.due_at:
            # This process missed prolonging the claim, but no other process was faster.
            self._running[key].until = claim.until
        else:
            self._next[key] = claim

    async def _prolong(self, claim: _Claim) -> bool:
        """Prolong a claim, so that no other process does the job meanwhile; return False if the claim has ended."""
        until, known = self._clock() + LEASE, set(claim.until)
        # Record the time before storing it, because the outcome of the write may be unknown.
        claim.until.add(until)
        lasts = await self._db.maintain(storage.prolong, claim.job, known, until)
        if lasts:
            claim.until = {until}
        return lasts

    def _look_at_clock(self, now: datetime) -> None:
        """Note the earlier of two readings of the clock that are far enough apart.

        A clock that was ahead at one of them does no harm. A restart begins with a new first reading.
        """
        seconds = self._seconds()
        since, earlier = self._first_look or (seconds, now)
        if seconds - since < SECOND_LOOK_SECONDS:
            self._first_look = since, earlier
        else:
            self._first_look, self._passed = (seconds, now), min(earlier, now)

    async def finish(self) -> None:
        """Wait for the running jobs."""
        await self._tasks.finish()
        await self._irrevocable_tasks.finish()

    async def close(self, seconds: float) -> None:
        """Finish running jobs; after some seconds, cancel them. Cancelled jobs are repeated later."""
        both = self._tasks, self._irrevocable_tasks
        for tasks in both:
            tasks.cancel_running(_ROUND)
        await asyncio.gather(*(tasks.close(seconds) for tasks in both))

    async def _run(self, key: tuple[str, str], claim: _Claim) -> None:
        try:
            await self._do(claim.job)
            while (following := self._next.pop(key, None)) is not None:
                self._running[key] = following
                # The job may have been cancelled meanwhile.
                if await self._prolong(following):
                    await self._do(following.job)
        finally:
            del self._running[key]
            self._next.pop(key, None)

    async def _do(self, job: Job) -> None:
        limit = asyncio.timeout(LIMIT.total_seconds())
        try:
            async with limit:
                next_due = await self._handlers[job.kind](job)
            await self._db.maintain(storage.finish, job, next_due)
        except StoreUnavailable as fault:
            log.debug("%s %s waits for the database: %s", job.kind, job.key, fault)
        except Exception as fault:
            if limit.expired() and isinstance(fault, TimeoutError):
                # A backup goes on in its thread, and the next run fetches its result.
                log.warning(
                    "%s %s took longer than %s and was stopped; it is tried again in %s",
                    job.kind,
                    job.key,
                    LIMIT,
                    LEASE,
                )
            else:
                log.exception("%s %s failed; it is tried again in %s", job.kind, job.key, LEASE)
