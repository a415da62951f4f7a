"""The best scores of solo games, with which a finished table compares its own."""

import time
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

from cachetools import LRUCache

from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey, BoardOrder
from bot.features.profiles.model import Bests
from bot.features.results.ids import LeaderboardId
from bot.platform.database.database import Database
from bot.platform.discord.content import Button
from bot.platform.tasks import TaskSet
from bot.tables.model import Company, Status, TableId
from bot.tables.shown.result import final_result_of
from bot.tables.shown.story import resignation_outcome, seat_names
from bot.tables.table import Table
from bot.words import gettext as _

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
        found = await self._db.read(board_storage.standings, key, user_id, 0, 1)
        own, server = (
            None if row is None else row.stats.best(lower_is_better=key.lower_is_better)
            for row in (found.own, next(iter(found.rows), None))
        )
        self._entries[table_id] = _CachedBests(self._clock(), Bests(own, server))


def best_score_lines(table: Table, bests: Bests | None) -> Iterator[str]:
    """Yield the best scores up to the end of a solo table; a score with hints is none.

    Args:
        table: The table.
        bests: The best scores before its end; None if they are not known.
    """
    if bests is None or table.outcome is None:
        return
    result = final_result_of(table)
    if result.scores is None or resignation_outcome(table) is not None or not table.header.is_unaided(0):
        return
    better = min if result.score_kind.lower_is_better else max
    own, server = (better(result.scores[0] if best is None else best, result.scores[0]) for best in bests)
    line = _("🏅 {name}'s best: {own} · the server's best: {server}")
    if own == server:
        line = _("🏅 {name} has the server's best: {server}")
    format_score = result.score_kind.format_score
    yield line.format(name=seat_names(table)[0], own=format_score(own), server=format_score(server))


def best_scores_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button of a finished solo table that shows the best scores; a daily bag has a board of its own."""
    if table.outcome is None or table.daily_day is not None or not table.package.game.info.is_solo:
        return ()
    return (Button(_("Best scores"), str(LeaderboardId(table.header.game, Company.ALONE, 1))),)
