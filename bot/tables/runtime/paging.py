"""Goes through tables a page at a time."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from bot.tables.model import TableId

Page: TypeAlias = Callable[[TableId, int], Awaitable[Sequence[TableId]]]
"""Returns the next tables after one, by their numbers, and so many at most."""


class Pages:
    """Remembers where a walk through tables has come to, so that what can't be done holds up nothing behind it."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._after: TableId = 0

    async def see_to_next(self, work: Callable[[TableId], Awaitable[object]], limit: int) -> bool:
        """Do a work for each table of the next page, and tell whether another page follows; else begin anew."""
        found = await self._page(self._after, limit)
        for table_id in found:
            await work(table_id)
        is_full = len(found) == limit
        self._after = found[-1] if is_full else 0
        return is_full
