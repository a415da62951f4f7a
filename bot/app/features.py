"""The features of the bot, in the order of their registration."""

from collections.abc import Callable
from typing import Final

from bot.app.server_commands import register as server_commands
from bot.app.table_commands import register as table_commands
from bot.features.badges.feature import register as badges
from bot.features.blocks.feature import register as blocks
from bot.features.boards.feature import register as boards
from bot.features.challenges.feature import register as challenges
from bot.features.fairness.feature import register as fairness
from bot.features.following import register as following
from bot.features.help.feature import register as help_
from bot.features.hints.feature import register as hints
from bot.features.host_news import register as host_news
from bot.features.idle_tables.feature import register as idle_tables
from bot.features.invitations.feature import register as invitations
from bot.features.moderation.feature import register as moderation
from bot.features.my_tables.feature import register as my_tables
from bot.features.new_tables.feature import register as new_tables
from bot.features.privacy.feature import register as privacy
from bot.features.profiles.feature import register as profiles
from bot.features.puzzles.feature import register as puzzles
from bot.features.remarks import register as remarks
from bot.features.reminders.feature import register as reminders
from bot.features.replays.feature import register as replays
from bot.features.results.feature import register as results
from bot.features.reviews.feature import register as reviews
from bot.features.seasons.feature import register as seasons
from bot.features.set_up.feature import register as set_up
from bot.features.settings.feature import register as settings
from bot.features.sharing import register as sharing
from bot.features.tips import register as tips
from bot.features.tournaments.feature import register as tournaments
from bot.features.turn_clocks.feature import register as turn_clocks
from bot.platform.registration import JobKind, Registration
from bot.tables.app import App, Feature
from bot.tables.feature import register as tables

FEATURES: Final[tuple[Callable[[App], Feature], ...]] = (
    settings,
    tables,
    moderation,
    blocks,
    reminders,
    turn_clocks,
    invitations,
    idle_tables,
    new_tables,
    results,
    profiles,
    badges,
    seasons,
    boards,
    puzzles,
    challenges,
    hints,
    tips,
    remarks,
    help_,
    set_up,
    fairness,
    sharing,
    replays,
    reviews,
    my_tables,
    following,
    tournaments,
    privacy,
    host_news,
    server_commands,
    table_commands,
)
"""A feature finds the services of earlier ones; hooks run, and lines and buttons appear, in this order."""


def register_features(app: App, jobs: tuple[JobKind, ...] = ()) -> None:
    """Register all features and additional jobs, and build the runners of jobs and chores."""
    for register in FEATURES:
        app.add(register(app))
    app.add(Registration(jobs=jobs))
    app.start()
