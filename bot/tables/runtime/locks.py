"""Locks by table: whoever holds a table's lock has it to themselves."""

import asyncio
from typing import Final

from bot.tables.model import TableId


class TableLocks:
    """A lock for each table that somebody holds or waits for; the others take no room."""

    def __init__(self) -> None:
        self._locks: Final[dict[TableId, _CountedLock]] = {}

    def hold(self, table_id: TableId) -> "HeldLock":
        """Return a context in which a table's lock is held, however long it has to be waited for."""
        return HeldLock(self, table_id)

    async def acquire(self, table_id: TableId) -> None:
        """Wait for a table's lock and take it."""
        wanted = self._locks.get(table_id)
        if wanted is None:
            wanted = self._locks[table_id] = _CountedLock()
        wanted.users += 1
        try:
            await wanted.lock.acquire()
        except BaseException:
            self._remove_user(table_id, wanted)
            raise

    async def acquire_within(self, table_id: TableId, seconds: float) -> bool:
        """Take a table's lock and tell whether it was had; one that is not free is waited for so many seconds."""
        if table_id not in self._locks:
            await self.acquire(table_id)
            return True
        if seconds <= 0:
            return False
        try:
            async with asyncio.timeout(seconds):
                await self.acquire(table_id)
        except TimeoutError:
            return False
        return True

    def release(self, table_id: TableId) -> None:
        """Let a table's lock go, which was taken."""
        wanted = self._locks[table_id]
        wanted.lock.release()
        self._remove_user(table_id, wanted)

    def _remove_user(self, table_id: TableId, wanted: "_CountedLock") -> None:
        wanted.users -= 1
        if not wanted.users:
            del self._locks[table_id]


class _CountedLock:
    """A lock, and by how many it is held or waited for."""

    __slots__ = ("lock", "users")

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.users = 0


class HeldLock:
    """Holds a table's lock while a block runs."""

    __slots__ = ("_locks", "_table_id")

    def __init__(self, locks: TableLocks, table_id: TableId) -> None:
        self._locks = locks
        self._table_id = table_id

    async def __aenter__(self) -> None:
        await self._locks.acquire(self._table_id)

    async def __aexit__(self, *_: object) -> None:
        self._locks.release(self._table_id)
