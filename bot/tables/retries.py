"""Retries of tables that could not be shown, one by one after failures and in batches after successes."""

import asyncio
from collections.abc import Callable, Iterable
from contextlib import suppress
from heapq import heappop, heappush
from typing import Final, TypeAlias

from bot.platform.tasks import TaskSet
from bot.tables.model import TableId

_MAX_BACKOFF_SECONDS: Final = 3600.0
FIRST_SECONDS: Final = 30.0
SOON_SECONDS: Final = 4.0
_SOON_TIMES: Final = 75
_OUTCOME_SECONDS: Final = 1.0
"""How long a batch waits for its outcomes."""

_MAX_BATCH_SIZE: Final = 32
"""The largest batch whose requests can be sent within `_OUTCOME_SECONDS`."""

Backoff: TypeAlias = Callable[[int], float]
"""Returns the seconds to wait after a number of failures at a table."""


def no_backoff(_failures: int) -> float:
    """Do not wait; for timeouts, which take long enough."""
    return 0.0


def short_backoff(failures: int) -> float:
    """Wait 1, 2, then 4 seconds; for temporary failures."""
    return 2.0 ** min(failures - 1, 2)


def short_then_long_backoff(failures: int) -> float:
    """Wait 4 seconds each time for five minutes, then like `long_backoff`; for failures that may be temporary."""
    return SOON_SECONDS if failures <= _SOON_TIMES else long_backoff(failures - _SOON_TIMES)


def long_backoff(failures: int) -> float:
    """Wait half a minute, doubling each time up to an hour; for failures that somebody has caused on purpose."""
    return min(FIRST_SECONDS * 2.0 ** min(failures - 1, 9), _MAX_BACKOFF_SECONDS)


class Retries:
    """Retries tables one by one with pauses after failures, and in batches of up to 32 after successes."""

    def __init__(self, retry: Callable[[TableId], None], backoff: Backoff, *, pause_seconds: float) -> None:
        self._retry = retry
        self._backoff = backoff
        self._pause_seconds = pause_seconds
        self._tasks = TaskSet("publisher's retry")
        self._failures: dict[TableId, int] = {}
        self._due: dict[TableId, float] = {}
        self._queue: list[tuple[float, TableId]] = []
        self._last_succeeded = False
        """Whether a table has succeeded since the last failure."""
        self._batch_size = 1
        """How many tables are tried at a time; doubles after each successful batch."""
        self._wakeup = asyncio.Event()
        self._attempts: dict[TableId, asyncio.Future[bool]] = {}

    def schedule(self, table_id: TableId, backoff: Backoff | None = None, *, for_long: bool = True) -> None:
        """Note a failure and schedule a retry, unless one is scheduled already.

        Args:
            table_id: The table.
            backoff: The back-off to use instead of the usual one.
            for_long: Whether to continue once the back-off has reached an hour.
        """
        if table_id in self._due:
            return
        self._last_succeeded, self._batch_size = False, 1
        self._finish_attempt(table_id, succeeded=False)
        failures = self._failures.get(table_id, 0) + 1
        pause = (backoff or self._backoff)(failures)
        if pause >= _MAX_BACKOFF_SECONDS and not for_long:
            self.cancel(table_id)
            return
        self._failures[table_id] = failures
        due = self._due[table_id] = asyncio.get_running_loop().time() + pause
        heappush(self._queue, (due, table_id))
        self._wakeup.set()
        self._tasks.start("all", self._run_queue())

    def note_success(self, table_id: TableId) -> None:
        """Note that a failing table succeeded, and retry the other ones at once."""
        if table_id in self._failures:
            self.cancel(table_id)
            self._last_succeeded = True
            self._finish_attempt(table_id, succeeded=True)
            self._wakeup.set()

    def cancel(self, table_id: TableId) -> None:
        """Stop retrying a table."""
        self._failures.pop(table_id, None)
        self._due.pop(table_id, None)

    def is_failing(self, table_id: TableId) -> bool:
        """Return whether a table has failed and has not succeeded since."""
        return table_id in self._failures

    async def close(self) -> None:
        """Stop all retries."""
        await self._tasks.cancel_all()

    async def _run_queue(self) -> None:
        while self._queue:
            due, table_id = self._queue[0]
            if self._due.get(table_id) != due:
                heappop(self._queue)
                continue
            wait = due - asyncio.get_running_loop().time()
            if wait > 0 and not self._last_succeeded:
                # Wait until the table is due or the queue has changed.
                self._wakeup.clear()
                with suppress(TimeoutError):
                    async with asyncio.timeout(wait):
                        await self._wakeup.wait()
                continue
            self._last_succeeded = await self._try_batch(self._take_due())
            self._batch_size = min(2 * self._batch_size, _MAX_BATCH_SIZE) if self._last_succeeded else 1
            if not self._last_succeeded:
                await asyncio.sleep(self._pause_seconds)

    def _take_due(self) -> list[TableId]:
        """Take the next batch off the queue."""
        taken: list[TableId] = []
        while self._queue and len(taken) < self._batch_size:
            due, table_id = heappop(self._queue)
            if self._due.get(table_id) == due:
                del self._due[table_id]
                taken.append(table_id)
        return taken

    async def _try_batch(self, table_ids: Iterable[TableId]) -> bool:
        """Retry some tables; return whether all succeeded in time. Later outcomes arrive through the other methods."""
        loop = asyncio.get_running_loop()
        self._attempts = {table_id: loop.create_future() for table_id in table_ids}
        for table_id in self._attempts:
            self._retry(table_id)
        outcomes = self._attempts.values()
        await asyncio.wait(outcomes, timeout=_OUTCOME_SECONDS)
        self._attempts = {}
        return all(outcome.done() and outcome.result() for outcome in outcomes)

    def _finish_attempt(self, table_id: TableId, *, succeeded: bool) -> None:
        outcome = self._attempts.get(table_id)
        if outcome is not None and not outcome.done():
            outcome.set_result(succeeded)
