"""Registers profiles."""

from bot.features.profiles.commands import Profiles, ProfilesCog
from bot.features.profiles.messages import HistoryId
from bot.features.results.service import ResultsService
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register profiles."""
    profiles = Profiles(app.db, app.service(ResultsService), app.games, app.pictures)
    return Feature(services=(profiles,), cogs=(ProfilesCog(),), buttons={HistoryId: profiles.show_page})
