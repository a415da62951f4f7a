"""One lock per table, so that each table has one change or one edit at a time."""

import asyncio
from weakref import WeakValueDictionary

from bot.tables.model import TableId


class TableLocks:
    """Locks by table; a lock that is neither held nor awaited is dropped."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[TableId, asyncio.Lock] = WeakValueDictionary()

    def for_table(self, table_id: TableId) -> asyncio.Lock:
        """Return the lock of a table. It lives as long as a caller refers to it."""
        return self._locks.setdefault(table_id, asyncio.Lock())


async def acquire_within(lock: asyncio.Lock, seconds: float) -> bool:
    """Acquire a lock, waiting at most some seconds; return False if it was not acquired."""
    try:
        async with asyncio.timeout(seconds):
            return await lock.acquire()
    except TimeoutError:
        return False
