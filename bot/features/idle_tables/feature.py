"""Registers idle tables."""

from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.idle_tables.messages import StillPlayingId
from bot.features.idle_tables.service import Announcements
from bot.features.settings.service import ServerRules
from bot.tables.app import App, Feature
from bot.tables.handlers.ids import ResumeId


def register(app: App) -> Feature:
    """Register idle tables."""
    announcements = Announcements(app.tables, app.db, app.sender, app.host.publisher.restore)
    commands = IdleTableCommands(app.host, app.posts, app.table_messages, app.service(ServerRules))
    return Feature(
        services=(announcements, commands),
        buttons={
            ResumeId: app.clicks.at_table(lambda click, table, _: commands.resume(click, table)),
            StillPlayingId: app.clicks.at_table(lambda click, table, _: commands.keep_open(click, table)),
        },
        each_minute=(announcements.check,),
        close=announcements.close,
    )
