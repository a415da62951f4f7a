"""Loads pages of leaderboards, and the best scores that a finished solo table is compared with."""

from typing import Final

from bot.features.boards import storage
from bot.features.boards.model import BoardKey, Leaderboard
from bot.features.settings import storage as setting_storage
from bot.features.settings.all_settings import SEASON
from bot.features.settings.choices import SeasonLength
from bot.platform.database.database import Database
from bot.platform.paging import fetch_page

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
