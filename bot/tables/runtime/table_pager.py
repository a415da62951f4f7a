"""Goes through tables one page at a time."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from bot.tables.model import TableId

FetchPage: TypeAlias = Callable[[TableId, int], Awaitable[Sequence[TableId]]]
"""Returns the ids of up to `limit` tables after an id, in order."""


class TablePager:
    """Remembers its position, so that tables that fail do not hold up those behind them."""

    def __init__(self, fetch_page: FetchPage) -> None:
        self._fetch_page = fetch_page
        self._last_id: TableId = 0

    async def process_next_page(self, work: Callable[[TableId], Awaitable[object]], limit: int) -> bool:
        """Process the next page; return whether another follows. After the last page the walk starts over."""
        found = await self._fetch_page(self._last_id, limit)
        for table_id in found:
            await work(table_id)
        is_full = len(found) == limit
        self._last_id = found[-1] if is_full else 0
        return is_full
