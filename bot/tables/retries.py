"""Trying again: soon at first, one table after the other, and ever less often at what is gone for good."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from heapq import heappop, heappush
from typing import Final, TypeAlias

from bot.tables.model import TableId
from bot.tables.tasks import TaskSet

_LONGEST_SECONDS: Final = 3600.0
_FIRST_SECONDS: Final = 30.0
_SOON_SECONDS: Final = 4.0
_SOON_TIMES: Final = 75
_OUTCOME_SECONDS: Final = 1.0
"""How long the next table waits to know whether it works at the one before."""

Pauses: TypeAlias = Callable[[int], float]
"""Tells how long to wait after so many failures at a table."""


def soon(failures: int) -> float:
    """Wait for what passes: never longer than a few seconds."""
    return min(2.0 ** min(failures - 1, 9), _SOON_SECONDS)


def soon_then_seldom(failures: int) -> float:
    """Wait for what may pass: as long as it is new a few seconds, in the end an hour."""
    return _SOON_SECONDS if failures <= _SOON_TIMES else seldom(failures - _SOON_TIMES)


def seldom(failures: int) -> float:
    """Wait for what somebody has done on purpose: half a minute, then twice as long each time, in the end an hour."""
    return min(_FIRST_SECONDS * 2.0 ** min(failures - 1, 9), _LONGEST_SECONDS)


class Retries:
    """Tries again at one table after the other, with a pause where it fails; once it works, at all of them at once."""

    def __init__(self, again: Callable[[TableId], None], pauses: Pauses, *, between: float) -> None:
        self._again = again
        self._pauses = pauses
        self._between = between
        self._tasks = TaskSet("publisher's retry")
        self._failures: dict[TableId, int] = {}
        self._due: dict[TableId, float] = {}
        self._queue: list[tuple[float, TableId]] = []
        self._works = False
        """Whether it has worked at a table since it last failed at one."""
        self._news = asyncio.Event()
        self._trying: tuple[TableId, asyncio.Future[bool]] | None = None

    def later(self, table_id: TableId, pauses: Pauses | None = None, *, for_long: bool = True) -> None:
        """Try again later, and if that is not to go on for long, no more once the pauses are an hour.

        What fails in between, as when people go on playing, leaves the attempt that waits as it is.
        """
        if table_id in self._due:
            return
        self._works = False
        self._tell(table_id, works=False)
        failures = self._failures.get(table_id, 0) + 1
        pause = (pauses or self._pauses)(failures)
        if pause >= _LONGEST_SECONDS and not for_long:
            self.drop(table_id)
            return
        self._failures[table_id] = failures
        due = self._due[table_id] = asyncio.get_running_loop().time() + pause
        heappush(self._queue, (due, table_id))
        self._news.set()
        self._tasks.start("all", self._try_all())

    def forget(self, table_id: TableId) -> None:
        """Note that it works at a table; what has failed at others is tried again at once."""
        if table_id in self._failures:
            self.drop(table_id)
            self._works = True
            self._tell(table_id, works=True)
            self._news.set()

    def drop(self, table_id: TableId) -> None:
        """Try nothing more at a table."""
        self._failures.pop(table_id, None)
        self._due.pop(table_id, None)

    def has(self, table_id: TableId) -> bool:
        """Tell whether something failed at a table and has not worked since."""
        return table_id in self._failures

    async def close(self) -> None:
        """Try nothing more."""
        await self._tasks.cancel()

    async def _try_all(self) -> None:
        while self._queue:
            due, table_id = self._queue[0]
            if self._due.get(table_id) != due:
                heappop(self._queue)
                continue
            wait = due - asyncio.get_running_loop().time()
            if wait > 0 and not self._works:
                await self._pause(wait)
                continue
            heappop(self._queue)
            del self._due[table_id]
            self._works = await self._try(table_id)
            if not self._works:
                await asyncio.sleep(self._between)

    async def _pause(self, seconds: float) -> None:
        """Wait for a while, or until something has changed."""
        self._news.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._news.wait()

    async def _try(self, table_id: TableId) -> bool:
        """Try again at a table, and tell whether it worked; what takes longer will tell by itself."""
        outcome = asyncio.get_running_loop().create_future()
        self._trying = table_id, outcome
        self._again(table_id)
        await asyncio.wait({outcome}, timeout=_OUTCOME_SECONDS)
        self._trying = None
        return outcome.done() and outcome.result()

    def _tell(self, table_id: TableId, *, works: bool) -> None:
        if self._trying is not None and self._trying[0] == table_id and not self._trying[1].done():
            self._trying[1].set_result(works)
