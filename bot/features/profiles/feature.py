"""Registers profiles."""

from bot.features.profiles.commands import Profile, ResultsCommands
from bot.features.profiles.service import ResultsService
from bot.features.results.best_scores import BestScores
from bot.features.results.ids import HistoryId
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register profiles."""
    profiles = ResultsCommands(app.service(ResultsService), app.games, app.pictures, app.service(BestScores), app.db)
    return Feature(
        services=(profiles,),
        cogs=(Profile(),),
        buttons={HistoryId: profiles.show_page},
    )
