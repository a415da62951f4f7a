"""A store with metrics: it counts saved moves, and can be asked whether it works."""

import asyncio
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, func, select

from bot.observability.metrics import DatabaseStats, Metrics
from bot.store.schema import IS_OPEN, IS_UNSHOWN, tables
from bot.store.store import SqlStore
from bot.tables.model import Award, TableUpdate
from bot.tables.ports import StoreUnavailable

SAVE_FAILURE_SECONDS: Final = 60.0
"""How long a failed save makes the store unhealthy, unless a later one succeeds: without players none is tried."""

_PING_KEY: Final = "ping"
_COUNT_OPEN = select(tables.c.status, func.count()).where(IS_OPEN).group_by(tables.c.status)
_COUNT_UNSHOWN = select(func.count(), func.min(tables.c.updated_at)).where(IS_UNSHOWN)


class MeteredStore(SqlStore):
    """A SqlStore that reports metrics and health."""

    def __init__(self, database_url: str, metrics: Metrics, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(database_url)
        self._metrics = metrics
        self._clock = clock
        self._save_failed_at: float | None = None

    async def save(self, change: TableUpdate, committing: asyncio.Future[None] | None = None) -> Sequence[Award]:
        """Save a table, count the move, and note whether saving works."""
        try:
            awards = await super().save(change, committing)
        except StoreUnavailable:
            self._save_failed_at = self._clock()
            raise
        self._save_failed_at = None
        if change.entry is not None:
            self._metrics.count_move(change.header.game)
        return awards

    async def ping(self) -> None:
        """Check that the store works by writing a row.

        Raises:
            StoreUnavailable: Writing fails, or the last save failed within a minute. On a full disk a row can still be
                overwritten when a move no longer fits.
        """
        await self.set_value(_PING_KEY, datetime.now(UTC).isoformat())
        if self._save_failed_at is not None and self._clock() - self._save_failed_at < SAVE_FAILURE_SECONDS:
            raise StoreUnavailable("the last save failed")

    async def load_stats(self) -> DatabaseStats:
        """Return the numbers of open tables and of tables not shown yet."""
        return await self.database.read(_read_stats)


def _read_stats(connection: Connection) -> DatabaseStats:
    open_tables = {str(status): int(count) for status, count in connection.execute(_COUNT_OPEN)}
    unshown, since = connection.execute(_COUNT_UNSHOWN).one()
    return DatabaseStats(open_tables, unshown, since)
