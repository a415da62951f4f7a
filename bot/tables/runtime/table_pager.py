"""Goes through tables a page at a time."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from bot.tables.model import TableId

FetchPage: TypeAlias = Callable[[TableId, int], Awaitable[Sequence[TableId]]]
"""Returns the next tables after one, by their numbers, and so many at most."""


class TablePager:
    """Remembers where a walk through tables has come to, so that what can't be done holds up nothing behind it."""

    def __init__(self, page: FetchPage) -> None:
        self._fetch_page = page
        self._last_id: TableId = 0

    async def process_next_page(self, work: Callable[[TableId], Awaitable[object]], limit: int) -> bool:
        """Do a work for each table of the next page, and tell whether another page follows; else begin anew."""
        found = await self._fetch_page(self._last_id, limit)
        for table_id in found:
            await work(table_id)
        is_full = len(found) == limit
        self._last_id = found[-1] if is_full else 0
        return is_full
