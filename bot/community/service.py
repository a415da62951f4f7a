"""Leaderboards, profiles and histories, page by page."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

from bot.community.model import (
    Contest,
    History,
    Leaderboard,
    OfPerson,
    OfPersonInChannels,
    Page,
    PlayedTable,
    PlayedTables,
    Profile,
    Shelf,
    Standings,
    page_of,
)
from bot.community.ports import Archive

STANDINGS_A_PAGE: Final = 10
TABLES_A_PAGE: Final = 5

StretchT = TypeVar("StretchT", Standings, PlayedTables)


class Community:
    """Answers what has become of finished tables; a page beyond the last one is the last one."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive

    async def leaderboard(self, contest: Contest, asker_id: int, page: int = 1) -> Leaderboard:
        """Return a page of a contest's ranking."""
        at, found = await _paged(partial(self._archive.standings, contest, asker_id), page, STANDINGS_A_PAGE)
        return Leaderboard(contest, at, found.rows, found.own)

    async def history(self, shelf: Shelf, page: int = 1) -> History:
        """Return a page of finished tables."""
        at, found = await _paged(partial(self._archive.played, shelf), page, TABLES_A_PAGE)
        return History(at, found.tables)

    async def newest(self, shelf: Shelf, count: int) -> tuple[PlayedTable, ...]:
        """Return some finished tables, the newest first."""
        return (await self._archive.played(shelf, 0, count)).tables

    async def profile(self, user_id: int, guild_id: int | None, channels: frozenset[int] | None = None) -> Profile:
        """Return what somebody has played in one server or (None) anywhere.

        Args:
            user_id: Whose profile it is.
            guild_id: The server, or None for all games anywhere.
            channels: The channels of the server whose tables may be named; None for all.
        """
        figures = await self._archive.figures(user_id, guild_id)
        shelf: Shelf = OfPerson(user_id, guild_id)
        if guild_id is not None and channels is not None:
            shelf = OfPersonInChannels(user_id, guild_id, channels)
        latest = await self._archive.played(shelf, 0, TABLES_A_PAGE)
        return Profile(user_id, tuple(figures), latest.tables)


async def _paged(ask: Callable[[int, int], Awaitable[StretchT]], number: int, size: int) -> tuple[Page, StretchT]:
    """Ask for a page by offset and limit, and once more for the nearest one when there is no such page."""
    # Buttons can be forged, and a database need not know what comes before the first row.
    number = max(1, number)
    found = await ask((number - 1) * size, size)
    at = page_of(number, found.total, size)
    if at.number != number:
        found = await ask((at.number - 1) * size, size)
    return at, found
