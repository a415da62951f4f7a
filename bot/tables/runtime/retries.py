"""Trying again: soon at first, more tables at a time as it works, and ever less often at what is gone for good."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from heapq import heappop, heappush
from typing import Final, TypeAlias

from bot.tables.model import TableId
from bot.tables.tasks import TaskSet

_MAX_BACKOFF_SECONDS: Final = 3600.0
_FIRST_SECONDS: Final = 30.0
_SOON_SECONDS: Final = 4.0
_SOON_TIMES: Final = 75
_OUTCOME_SECONDS: Final = 1.0
"""How long the next tables wait to know whether it works at those before."""

_MAX_BATCH_SIZE: Final = 32
"""So many tables at most are tried at the same time: requests for them can be sent within `_OUTCOME_SECONDS`."""

Backoff: TypeAlias = Callable[[int], float]
"""Tells how long to wait after so many failures at a table."""


def no_backoff(_failures: int) -> float:
    """Wait no more: whatever failed has taken long enough."""
    return 0.0


def short_backoff(failures: int) -> float:
    """Wait for what passes: never longer than a few seconds."""
    return min(2.0 ** min(failures - 1, 9), _SOON_SECONDS)


def short_then_long_backoff(failures: int) -> float:
    """Wait for what may pass: as long as it is new a few seconds, in the end an hour."""
    return _SOON_SECONDS if failures <= _SOON_TIMES else long_backoff(failures - _SOON_TIMES)


def long_backoff(failures: int) -> float:
    """Wait for what somebody has done on purpose: half a minute, then twice as long each time, in the end an hour."""
    return min(_FIRST_SECONDS * 2.0 ** min(failures - 1, 9), _MAX_BACKOFF_SECONDS)


class Retries:
    """Tries again at one table after the other, with a pause where it fails; while it works, at ever more at a time."""

    def __init__(self, again: Callable[[TableId], None], pauses: Backoff, *, between: float) -> None:
        self._retry = again
        self._backoff = pauses
        self._pause_seconds = between
        self._tasks = TaskSet("publisher's retry")
        self._failures: dict[TableId, int] = {}
        self._due: dict[TableId, float] = {}
        self._queue: list[tuple[float, TableId]] = []
        self._last_succeeded = False
        """Whether it has worked at a table since it last failed at one."""
        self._batch_size = 1
        """How many tables are tried at the same time: twice as many after each time that it has worked at all."""
        self._wakeup = asyncio.Event()
        self._attempts: dict[TableId, asyncio.Future[bool]] = {}

    def schedule(self, table_id: TableId, pauses: Backoff | None = None, *, for_long: bool = True) -> None:
        """Try again later, and if that is not to go on for long, no more once the pauses are an hour.

        What fails in between, as when people go on playing, leaves the attempt that waits as it is.
        """
        if table_id in self._due:
            return
        self._last_succeeded, self._batch_size = False, 1
        self._settle_attempt(table_id, works=False)
        failures = self._failures.get(table_id, 0) + 1
        pause = (pauses or self._backoff)(failures)
        if pause >= _MAX_BACKOFF_SECONDS and not for_long:
            self.cancel(table_id)
            return
        self._failures[table_id] = failures
        due = self._due[table_id] = asyncio.get_running_loop().time() + pause
        heappush(self._queue, (due, table_id))
        self._wakeup.set()
        self._tasks.start("all", self._run_queue())

    def note_success(self, table_id: TableId) -> None:
        """Note that it works at a table; what has failed at others is tried again at once."""
        if table_id in self._failures:
            self.cancel(table_id)
            self._last_succeeded = True
            self._settle_attempt(table_id, works=True)
            self._wakeup.set()

    def cancel(self, table_id: TableId) -> None:
        """Try nothing more at a table."""
        self._failures.pop(table_id, None)
        self._due.pop(table_id, None)

    def is_failing(self, table_id: TableId) -> bool:
        """Tell whether something failed at a table and has not worked since."""
        return table_id in self._failures

    async def close(self) -> None:
        """Try nothing more."""
        await self._tasks.cancel_all()

    async def _run_queue(self) -> None:
        while self._queue:
            due, table_id = self._queue[0]
            if self._due.get(table_id) != due:
                heappop(self._queue)
                continue
            wait = due - asyncio.get_running_loop().time()
            if wait > 0 and not self._last_succeeded:
                await self._pause(wait)
                continue
            self._last_succeeded = await self._try_batch(self._take_due())
            self._batch_size = min(2 * self._batch_size, _MAX_BATCH_SIZE) if self._last_succeeded else 1
            if not self._last_succeeded:
                await asyncio.sleep(self._pause_seconds)

    def _take_due(self) -> list[TableId]:
        """Take those off the queue that are tried next."""
        taken: list[TableId] = []
        while self._queue and len(taken) < self._batch_size:
            due, table_id = heappop(self._queue)
            if self._due.get(table_id) == due:
                del self._due[table_id]
                taken.append(table_id)
        return taken

    async def _pause(self, seconds: float) -> None:
        """Wait for a while, or until something has changed."""
        self._wakeup.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wakeup.wait()

    async def _try_batch(self, table_ids: Iterable[TableId]) -> bool:
        """Try again at some tables, and tell whether it worked at all; what takes longer will tell by itself."""
        loop = asyncio.get_running_loop()
        self._attempts = {table_id: loop.create_future() for table_id in table_ids}
        for table_id in self._attempts:
            self._retry(table_id)
        outcomes = self._attempts.values()
        await asyncio.wait(outcomes, timeout=_OUTCOME_SECONDS)
        self._attempts = {}
        return all(outcome.done() and outcome.result() for outcome in outcomes)

    def _settle_attempt(self, table_id: TableId, *, works: bool) -> None:
        outcome = self._attempts.get(table_id)
        if outcome is not None and not outcome.done():
            outcome.set_result(works)
