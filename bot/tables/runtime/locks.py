"""Locks by table: whoever holds a table's lock has it to themselves."""

import asyncio
from typing import Final

from bot.tables.model import TableId


class TableLocks:
    """A lock for each table that somebody holds or waits for; the others take no room."""

    def __init__(self) -> None:
        self._wanted: Final[dict[TableId, _Wanted]] = {}

    def held(self, table_id: TableId) -> "Held":
        """Return a context in which a table's lock is held, however long it has to be waited for."""
        return Held(self, table_id)

    async def take(self, table_id: TableId) -> None:
        """Wait for a table's lock and take it."""
        wanted = self._wanted.get(table_id)
        if wanted is None:
            wanted = self._wanted[table_id] = _Wanted()
        wanted.by += 1
        try:
            await wanted.lock.acquire()
        except BaseException:
            self._want_no_more(table_id, wanted)
            raise

    async def taken_within(self, table_id: TableId, seconds: float) -> bool:
        """Take a table's lock and tell whether it was had; one that is not free is waited for so many seconds."""
        if table_id not in self._wanted:
            await self.take(table_id)
            return True
        if seconds <= 0:
            return False
        try:
            async with asyncio.timeout(seconds):
                await self.take(table_id)
        except TimeoutError:
            return False
        return True

    def release(self, table_id: TableId) -> None:
        """Let a table's lock go, which was taken."""
        wanted = self._wanted[table_id]
        wanted.lock.release()
        self._want_no_more(table_id, wanted)

    def _want_no_more(self, table_id: TableId, wanted: "_Wanted") -> None:
        wanted.by -= 1
        if not wanted.by:
            del self._wanted[table_id]


class _Wanted:
    """A lock, and by how many it is held or waited for."""

    __slots__ = ("by", "lock")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.by = 0


class Held:
    """Holds a table's lock while a block runs."""

    __slots__ = ("_locks", "_table_id")

    def __init__(self, locks: TableLocks, table_id: TableId) -> None:
        self._locks = locks
        self._table_id = table_id

    async def __aenter__(self) -> None:
        await self._locks.take(self._table_id)

    async def __aexit__(self, *_: object) -> None:
        self._locks.release(self._table_id)
