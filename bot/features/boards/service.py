"""Loads pages of leaderboards, and the best scores that a finished solo table is compared with."""

import time
from collections.abc import Callable
from typing import Final

from bot.features.boards import storage
from bot.features.boards.model import Bests, BoardKey, BoardOrder, Leaderboard
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import SEASON, SeasonLength
from bot.platform.database.database import Database
from bot.platform.paging import fetch_page
from bot.platform.tasks import BackgroundCache
from bot.tables.model import Company, Status, TableId
from bot.tables.table import Table

STANDINGS_PER_PAGE: Final = 10


async def find_season_length(db: Database, guild_id: int) -> SeasonLength:
    """Return the length of a server's seasons."""
    return (await db.read(setting_storage.find, guild_id)).get(SEASON)


async def load_leaderboard(db: Database, key: BoardKey, asker_id: int, number: int = 1) -> Leaderboard:
    """Return a page of a leaderboard, or the nearest existing one."""
    page, found = await fetch_page(
        lambda offset, limit: db.read(storage.standings, key, asker_id, offset, limit), number, STANDINGS_PER_PAGE
    )
    return Leaderboard(key, page, found.rows, found.own)


class BestScores(BackgroundCache[TableId, Bests]):
    """Caches the best scores at running solo tables, so that the end of a game need not wait for them."""

    def __init__(self, db: Database, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__("best scores", clock)
        self._db = db

    def on_table_changed(self, table: Table) -> None:
        """Load the best scores for a running solo table, at most once a minute."""
        header, counts = table.header, table.kind.has_own_dice
        if header.status is not Status.PLAYING or not table.package.game.info.is_solo or not counts:
            return
        guild_id, user_id = header.location.guild_id, table.seats[0].user_id
        if guild_id is None or user_id is None:
            return
        lower = table.package.results.score_kind.lower_is_better
        key = BoardKey(guild_id, header.game, Company.ALONE, BoardOrder.BEST, lower_is_better=lower)

        async def load() -> Bests:
            found = await self._db.read(storage.standings, key, user_id, 0, 1)
            own, server = (
                None if row is None else row.stats.best(lower_is_better=lower)
                for row in (found.own, next(iter(found.rows), None))
            )
            return Bests(own, server)

        self.refresh(table.id, load)
