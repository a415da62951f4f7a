"""Leaderboards, profiles, histories and duels, in pages."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from bot.features.boards import storage as board_storage
from bot.features.boards.model import BoardKey, Standings
from bot.features.profiles import model, storage
from bot.features.results import storage as result_storage
from bot.features.results.accounts import ratings
from bot.features.results.ratings import NotRated, RatingChange, find_reason
from bot.platform.database.database import Database
from bot.platform.paging import Page, clamp_page
from bot.tables.model import Company
from bot.tables.results import results_of
from bot.tables.table import Table

STANDINGS_PER_PAGE: Final = 10
TABLES_PER_PAGE: Final = 5

PageT = TypeVar("PageT", Standings, model.FinishedTables)


class ResultsService:
    """Returns pages of results. For a page that does not exist it returns the nearest one."""

    def __init__(self, db: Database) -> None:
        self._db = db

    async def leaderboard(self, key: BoardKey, asker_id: int, number: int = 1) -> model.Leaderboard:
        """Return a page of a leaderboard."""
        page, found = await _fetch_page(
            lambda offset, limit: self._db.read(board_storage.standings, key, asker_id, offset, limit),
            number,
            STANDINGS_PER_PAGE,
        )
        return model.Leaderboard(key, page, found.rows, found.own)

    async def history(self, history: model.HistoryFilter, number: int = 1) -> model.History:
        """Return a page of finished tables."""
        page, found = await _fetch_page(
            lambda offset, limit: self._db.read(result_storage.played_tables, history, offset, limit),
            number,
            TABLES_PER_PAGE,
        )
        return model.History(page, found.tables)

    async def newest_tables(self, history: model.HistoryFilter, count: int) -> tuple[model.FinishedTable, ...]:
        """Return the newest finished tables, newest first."""
        return tuple(await self._db.read(result_storage.newest_tables, history, count))

    async def newest_game(self, user_id: int, guild_id: int | None) -> tuple[str, Company] | None:
        """Return the game that was finished last in a server, or by a person outside servers, and its company; or None.

        Daily bags have boards of their own.
        """
        if guild_id is None:
            tables = await self._db.read(
                result_storage.newest_tables, model.PersonFilter(user_id, None), TABLES_PER_PAGE
            )
        else:
            tables = await self._db.read(result_storage.latest_tables, guild_id, TABLES_PER_PAGE)
        games = [(each.results[0].game, each.results[0].company) for each in tables]
        return next((each for each in games if each[1] is not Company.DAILY), None)

    async def profile(
        self, user_id: int, guild_id: int | None, channels: frozenset[int] | None = None
    ) -> model.Profile:
        """Return a person's profile.

        Args:
            user_id: The person.
            guild_id: The server, or None for games everywhere.
            channels: The channels of the server whose tables may be listed; None for all.
        """
        history: model.HistoryFilter = model.PersonFilter(user_id, guild_id)
        if guild_id is not None and channels is not None:
            history = model.PersonInChannelsFilter(user_id, guild_id, channels)
        record = await self._db.read(storage.person_record, user_id, guild_id)
        return model.Profile(user_id, record, await self.newest_tables(history, TABLES_PER_PAGE))

    async def versus(self, duel: model.Duel, channels: frozenset[int]) -> model.Versus:
        """Return the history between two people, with their newest tables in some channels of the server."""
        return await self._db.read(storage.versus, duel, channels, TABLES_PER_PAGE)

    async def rating_changes(self, table: Table) -> tuple[RatingChange, ...] | NotRated:
        """Return what a finished table did to ratings, by seat, or why it does not count."""
        if reason := find_reason(results_of(table)):
            return reason
        return tuple(await self._db.read(ratings.find_changes, table.id)) or NotRated.REPEATED_PAIR


async def _fetch_page(fetch: Callable[[int, int], Awaitable[PageT]], number: int, size: int) -> tuple[Page, PageT]:
    """Fetch a page by offset and limit; if it does not exist, fetch the nearest one."""
    # A forged button can name a page below 1, and databases refuse negative offsets.
    number = max(1, number)
    found = await fetch((number - 1) * size, size)
    page = clamp_page(number, found.total, size)
    if page.number != number:
        found = await fetch((page.number - 1) * size, size)
    return page, found
