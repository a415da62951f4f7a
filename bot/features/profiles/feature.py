"""Registers profiles."""

from bot.features.profiles.commands import ProfileCommands, Profiles
from bot.features.profiles.messages import HistoryId
from bot.features.results.service import ResultsService
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register profiles."""
    profiles = Profiles(app.db, app.service(ResultsService), app.games, app.pictures)
    return Feature(services=(profiles,), cogs=(ProfileCommands(),), buttons={HistoryId: profiles.show_page})
