"""What finished tables did to ratings, as their messages tell it."""

import logging
from typing import Final, TypeAlias

from cachetools import LRUCache

from bot.features.profiles.service import ResultsService
from bot.features.results.ratings import NotRated, RatingChange
from bot.platform.database.errors import StoreUnavailable
from bot.tables.model import Company, Status, TableId
from bot.tables.results import company_of
from bot.tables.table import Table

log = logging.getLogger(__name__)

_MAX_TABLES: Final = 5000

RatingOutcome: TypeAlias = tuple[RatingChange, ...] | NotRated
"""What a table did to ratings, or why it did nothing."""


class RatingNews:
    """Knows what finished tables did to ratings; each is read once, before its result is first shown."""

    def __init__(self, results: ResultsService, size: int = _MAX_TABLES) -> None:
        self._results = results
        self._known: LRUCache[TableId, RatingOutcome] = LRUCache(size)

    def known(self, table: Table) -> RatingOutcome | None:
        """Return what a table did to ratings; None if it was not loaded, or if nobody expects it to change any."""
        return self._known.get(table.id)

    def clear(self) -> None:
        """Forget everything, until it is needed again."""
        self._known.clear()

    async def load(self, table: Table) -> None:
        """Load what a table did to ratings if it is over and was played between people in a server."""
        if table.header.status is not Status.FINISHED or table.id in self._known or not _is_between_people(table):
            return
        try:
            self._known[table.id] = await self._results.rating_changes(table)
        except StoreUnavailable as fault:
            # The result is shown without.
            log.debug("the ratings of table %s can't be loaded: %s", table.id, fault)


def _is_between_people(table: Table) -> bool:
    has_result = table.outcome is not None and table.kind.counts
    return has_result and table.header.location.guild_id is not None and company_of(table.seats) is Company.PEOPLE
