"""What the results of daily bags are compared with, so that the end of a game waits for nothing."""

import time
from collections.abc import Callable
from typing import Final, NamedTuple

from cachetools import LRUCache

from bot.features.daily_bag import storage
from bot.features.daily_bag.model import DailyScores
from bot.platform.database.database import Database
from bot.platform.places import Day
from bot.platform.tasks import TaskSet
from bot.tables.model import Status, TableId
from bot.tables.table import Table

_MAX_TABLES: Final = 5000
_MAX_AGE_SECONDS: Final = 60.0
"""How old scores may be before the next move loads them again: others play meanwhile."""


class _CachedScores(NamedTuple):
    loaded_at: float
    scores: DailyScores


class DailyStandings:
    """Knows the scores of others at the same bag, loaded in the background while it is played."""

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic, size: int = _MAX_TABLES) -> None:
        self._db = db
        self._clock = clock
        self._entries: LRUCache[TableId, _CachedScores] = LRUCache(size)
        self._tasks = TaskSet("daily scores")

    def known(self, table: Table) -> DailyScores | None:
        """Return the scores of others, if they are known."""
        entry = self._entries.get(table.id)
        return None if entry is None else entry.scores

    def on_table_changed(self, table: Table) -> None:
        """Load the scores of others at a daily bag that is being played, at most once a minute."""
        if table.header.status is not Status.PLAYING or table.header.is_practice:
            return
        day, user_id = table.daily_day, table.seats[0].user_id
        entry = self._entries.get(table.id)
        is_recent = entry is not None and self._clock() - entry.loaded_at < _MAX_AGE_SECONDS
        if day is not None and user_id is not None and not is_recent:
            self._tasks.start(table.id, self._load(table, user_id, day))

    def clear(self) -> None:
        """Forget all scores, until they are needed again."""
        self._entries.clear()

    async def close(self, seconds: float) -> None:
        """Finish what is being loaded, within some seconds."""
        await self._tasks.close(seconds)

    async def _load(self, table: Table, user_id: int, day: Day) -> None:
        scores = await self._db.read(storage.load_scores, user_id, table.header.location.guild_id, day)
        self._entries[table.id] = _CachedScores(self._clock(), scores)
