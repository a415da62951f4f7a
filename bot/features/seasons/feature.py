"""Registers seasons."""

from bot.features.boards.messages import SeasonId
from bot.features.seasons.handlers import SeasonPages
from bot.features.seasons.service import SEASON_JOB, Seasons
from bot.features.settings import storage as setting_storage
from bot.features.settings.preferences import SeasonLength
from bot.platform.registration import JobKind
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register seasons."""

    async def find_length(guild_id: int) -> SeasonLength:
        return (await app.db.read(setting_storage.find, guild_id)).season

    seasons = Seasons(app.db, app.games, app.clock, find_length)
    pages = SeasonPages(seasons, app.games, app.clock)
    return Feature(
        services=(seasons, pages),
        buttons={SeasonId: pages.press},
        jobs=(JobKind(SEASON_JOB, seasons.end_due, is_irrevocable=True),),
        each_minute=(seasons.check,),
    )
