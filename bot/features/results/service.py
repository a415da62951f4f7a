"""Loads pages of histories, and the effects of finished tables on ratings."""

import logging
from typing import Final, TypeAlias

from cachetools import LRUCache

from bot.features.results import storage
from bot.features.results.model import FinishedTable, History, HistoryFilter, PersonFilter
from bot.features.results.ratings import NotRated, RatingChange, find_reason
from bot.platform.database.database import Database
from bot.platform.database.errors import StoreUnavailable
from bot.platform.paging import fetch_page
from bot.tables.model import Company, Status, TableId
from bot.tables.results import company_of, results_of
from bot.tables.table import Table

log = logging.getLogger(__name__)

TABLES_PER_PAGE: Final = 5
_MAX_TABLES: Final = 5000


class ResultsService:
    """Loads finished tables, newest first."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def history(self, history: HistoryFilter, number: int = 1) -> History:
        """Return a page of finished tables, or the nearest existing one."""
        page, found = await fetch_page(
            lambda offset, limit: self._db.read(storage.played_tables, history, offset, limit), number, TABLES_PER_PAGE
        )
        return History(page, found.tables)

    async def newest_tables(self, history: HistoryFilter, count: int = TABLES_PER_PAGE) -> tuple[FinishedTable, ...]:
        """Return the newest finished tables, newest first."""
        return tuple(await self._db.read(storage.newest_tables, history, count))

    async def newest_game(self, user_id: int, guild_id: int | None) -> tuple[str, Company] | None:
        """Return the newest finished game in a server, or of a person outside servers, with its company; or None."""
        if guild_id is None:
            tables = await self._db.read(storage.newest_tables, PersonFilter(user_id, None), 1)
        else:
            tables = await self._db.read(storage.latest_tables, guild_id, 1)
        return next(((table.results[0].game, table.results[0].company) for table in tables), None)


RatingOutcome: TypeAlias = tuple[RatingChange, ...] | NotRated
"""How a table changed ratings, or why it did not."""


class RatingNews:
    """Caches how finished tables changed ratings; each is loaded once, before its result is first shown."""

    def __init__(self, db: Database, size: int = _MAX_TABLES) -> None:
        self._db = db
        self._known: LRUCache[TableId, RatingOutcome] = LRUCache(size)

    def known(self, table: Table) -> RatingOutcome | None:
        """Return how a table changed ratings; None if not loaded, or if nobody would expect a change."""
        return self._known.get(table.id)

    def clear(self) -> None:
        """Forget everything that was loaded."""
        self._known.clear()

    async def load(self, table: Table) -> None:
        """Load the rating changes of a table that is over and was played between people in a server."""
        if table.header.status is not Status.FINISHED or table.id in self._known:
            return
        has_result = table.outcome is not None
        if not has_result or table.header.location.guild_id is None or company_of(table.seats) is not Company.PEOPLE:
            return
        reason = find_reason(results_of(table))
        try:
            changes = () if reason else tuple(await self._db.read(storage.find_changes, table.id))
        except StoreUnavailable as fault:
            # The result is then shown without its ratings.
            log.debug("the ratings of table %s can't be loaded: %s", table.id, fault)
            return
        self._known[table.id] = reason or changes or NotRated.REPEATED_PAIR
