"""Leaderboards, profiles and histories, page by page."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

from bot.community.model import (
    FinishedTable,
    FinishedTables,
    History,
    HistoryFilter,
    Leaderboard,
    LeaderboardKey,
    Page,
    PersonFilter,
    PersonInChannelsFilter,
    Profile,
    Standings,
    clamp_page,
)
from bot.community.ports import ResultStore

STANDINGS_PER_PAGE: Final = 10
TABLES_PER_PAGE: Final = 5

PageT = TypeVar("PageT", Standings, FinishedTables)


class ResultsService:
    """Answers what has become of finished tables; a page beyond the last one is the last one."""

    def __init__(self, archive: ResultStore) -> None:
        self._results = archive

    async def leaderboard(self, contest: LeaderboardKey, asker_id: int, page: int = 1) -> Leaderboard:
        """Return a page of a contest's ranking."""
        at, found = await _fetch_page(partial(self._results.standings, contest, asker_id), page, STANDINGS_PER_PAGE)
        return Leaderboard(contest, at, found.rows, found.own)

    async def history(self, shelf: HistoryFilter, page: int = 1) -> History:
        """Return a page of finished tables."""
        at, found = await _fetch_page(partial(self._results.finished_tables, shelf), page, TABLES_PER_PAGE)
        return History(at, found.tables)

    async def newest_tables(self, shelf: HistoryFilter, count: int) -> tuple[FinishedTable, ...]:
        """Return some finished tables, the newest first."""
        return (await self._results.finished_tables(shelf, 0, count)).tables

    async def profile(self, user_id: int, guild_id: int | None, channels: frozenset[int] | None = None) -> Profile:
        """Return what somebody has played in one server or (None) anywhere.

        Args:
            user_id: Whose profile it is.
            guild_id: The server, or None for all games anywhere.
            channels: The channels of the server whose tables may be named; None for all.
        """
        figures = await self._results.game_stats(user_id, guild_id)
        shelf: HistoryFilter = PersonFilter(user_id, guild_id)
        if guild_id is not None and channels is not None:
            shelf = PersonInChannelsFilter(user_id, guild_id, channels)
        latest = await self._results.finished_tables(shelf, 0, TABLES_PER_PAGE)
        return Profile(user_id, tuple(figures), latest.tables)


async def _fetch_page(ask: Callable[[int, int], Awaitable[PageT]], number: int, size: int) -> tuple[Page, PageT]:
    """Ask for a page by offset and limit, and once more for the nearest one when there is no such page."""
    # Buttons can be forged, and a database need not know what comes before the first row.
    number = max(1, number)
    found = await ask((number - 1) * size, size)
    at = clamp_page(number, found.total, size)
    if at.number != number:
        found = await ask((at.number - 1) * size, size)
    return at, found
