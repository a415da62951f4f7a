"""Registers seasons."""

from functools import partial

from bot.features.boards.messages import SeasonId
from bot.features.boards.service import find_season_length
from bot.features.seasons.commands import SeasonPages, SeasonsCog
from bot.features.seasons.service import SEASON_JOB, Seasons
from bot.features.settings.all_settings import SEASON
from bot.features.settings.handlers import SettingsPanels
from bot.platform.registration import JobKind
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register seasons."""
    seasons = Seasons(app.db, app.games, app.clock, partial(find_season_length, app.db))
    app.service(SettingsPanels).previews[SEASON] = seasons.preview_change
    pages = SeasonPages(seasons, app.games, app.clock)
    return Feature(
        services=(seasons, pages),
        cogs=(SeasonsCog(),),
        buttons={SeasonId: pages.press},
        jobs=(JobKind(SEASON_JOB, seasons.end_due, is_irrevocable=True),),
        each_minute=(seasons.check,),
    )
