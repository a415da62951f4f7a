"""Leaderboards in pages, and the best scores with which a finished solo table compares its own."""

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from cachetools import LRUCache

from bot.features.boards import storage
from bot.features.boards.model import Bests, BoardKey, BoardOrder, Leaderboard
from bot.platform.database.database import Database
from bot.platform.paging import fetch_page
from bot.platform.tasks import TaskSet
from bot.tables.model import Company, Status, TableId
from bot.tables.table import Table

STANDINGS_PER_PAGE: Final = 10


async def load_leaderboard(db: Database, key: BoardKey, asker_id: int, number: int = 1) -> Leaderboard:
    """Return a page of a leaderboard, or the nearest one if it does not exist."""
    page, found = await fetch_page(
        lambda offset, limit: db.read(storage.standings, key, asker_id, offset, limit), number, STANDINGS_PER_PAGE
    )
    return Leaderboard(key, page, found.rows, found.own)


_MAX_TABLES: Final = 5000
_MAX_AGE_SECONDS: Final = 60.0
"""How old scores may be before the next move loads them again: others play meanwhile."""


class _CachedBests(NamedTuple):
    loaded_at: float
    bests: Bests


class BestScores:
    """Knows the best scores at solo tables, loaded in the background so that no end of a game waits for them."""

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic, size: int = _MAX_TABLES) -> None:
        self._db = db
        self._clock = clock
        self._entries: LRUCache[TableId, _CachedBests] = LRUCache(size)
        self._tasks = TaskSet("best scores")

    def known(self, table: Table) -> Bests | None:
        """Return the best scores before a table's own, if they are known."""
        entry = self._entries.get(table.id)
        return None if entry is None else entry.bests

    def on_table_changed(self, table: Table) -> None:
        """Load the best scores of a solo table that is being played, at most once a minute."""
        counts = table.kind.has_own_dice
        if table.header.status is not Status.PLAYING or not table.package.game.info.is_solo or not counts:
            return
        guild_id, user_id = table.header.location.guild_id, table.seats[0].user_id
        entry = self._entries.get(table.id)
        is_recent = entry is not None and self._clock() - entry.loaded_at < _MAX_AGE_SECONDS
        if guild_id is not None and user_id is not None and not is_recent:
            lower_is_better = table.package.score_kind.lower_is_better
            key = BoardKey(guild_id, table.header.game, Company.ALONE, BoardOrder.BEST, lower_is_better=lower_is_better)
            self._tasks.start(table.id, self._load(table.id, key, user_id))

    def clear(self) -> None:
        """Forget all scores, until they are needed again."""
        self._entries.clear()

    async def close(self, seconds: float) -> None:
        """Finish what is being loaded, within some seconds."""
        await self._tasks.close(seconds)

    async def _load(self, table_id: TableId, key: BoardKey, user_id: int) -> None:
        found = await self._db.read(storage.standings, key, user_id, 0, 1)
        own, server = (
            None if row is None else row.stats.best(lower_is_better=key.lower_is_better)
            for row in (found.own, next(iter(found.rows), None))
        )
        self._entries[table_id] = _CachedBests(self._clock(), Bests(own, server))
