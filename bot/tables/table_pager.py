"""Runs chores for many tables, page by page."""

import logging
from collections.abc import Awaitable, Callable, Sequence

from bot.platform.database.errors import StoreUnavailable
from bot.rules.refusals import Refusal
from bot.tables.model import TableId
from bot.tables.refusals import Stale

log = logging.getLogger(__name__)

PAGE_SIZE = 500


class TablePager:
    """Runs a chore for tables, one page at a time.

    It remembers its position, so that tables that fail do not hold up those behind them.
    """

    def __init__(
        self,
        fetch_page: Callable[[TableId, int], Awaitable[Sequence[TableId]]],
        work: Callable[[TableId], Awaitable[object]],
    ) -> None:
        self._fetch_page = fetch_page
        self._work = work
        self._last_id: TableId = 0

    async def process_next_page(self) -> bool:
        """Process the next page; return whether another follows. After the last page the walk starts over."""
        found = await self._fetch_page(self._last_id, PAGE_SIZE)
        for table_id in found:
            await self._run_work(table_id)
        is_full = len(found) == PAGE_SIZE
        self._last_id = found[-1] if is_full else 0
        return is_full

    async def _run_work(self, table_id: TableId) -> None:
        """Run the chore for a table, logging its errors so that it still runs for the others."""
        try:
            await self._work(table_id)
        except (Stale, Refusal) as fault:
            log.debug("table %s has changed meanwhile: %s", table_id, fault)
        except StoreUnavailable:
            raise
        except Exception:
            log.exception("a chore for table %s failed", table_id)
