"""Trying again after pauses that grow: what is gone for good must not keep the bot busy."""

import asyncio
from collections.abc import Callable

from bot.tables.model import TableId
from bot.tables.tasks import TaskSet

_FIRST_SECONDS = 30.0
_LONGEST_SECONDS = 3600.0


class Retries:
    """Remembers when to try again what failed at which table."""

    def __init__(self, again: Callable[[TableId], None]) -> None:
        self._again = again
        self._tasks = TaskSet("publisher's retry")
        self._pauses: dict[TableId, float] = {}

    def later(self, table_id: TableId, *, for_long: bool) -> None:
        """Try again later, and the next time later still: every hour in the end, or after about an hour no more.

        What fails in between, as when people go on playing, leaves the attempt that waits as it is.
        """
        if self._tasks.is_busy(table_id):
            return
        pause = self._pauses.get(table_id, _FIRST_SECONDS)
        if pause >= _LONGEST_SECONDS and not for_long:
            self.forget(table_id)
            return
        self._pauses[table_id] = min(2 * pause, _LONGEST_SECONDS)
        self._tasks.start(table_id, self._later(table_id, pause))

    def forget(self, table_id: TableId) -> None:
        """Drop what was remembered of a table, and try nothing more at it."""
        if self._pauses.pop(table_id, None) is not None:
            self._tasks.drop(table_id)

    def has(self, table_id: TableId) -> bool:
        """Tell whether something failed at a table and has not worked since."""
        return table_id in self._pauses

    async def close(self) -> None:
        """Try nothing more."""
        await self._tasks.cancel()

    async def _later(self, table_id: TableId, pause: float) -> None:
        await asyncio.sleep(pause)
        self._again(table_id)
