"""Registers new tables."""

from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.idle_tables.messages import PutAsideId
from bot.features.new_tables.archiving import ARCHIVE_KIND, ThreadArchive, schedule
from bot.features.new_tables.handlers import NewTables
from bot.features.new_tables.threads import TableThreads
from bot.features.settings.service import ServerRules, SettingsCache
from bot.platform.registration import JobKind
from bot.tables.app import App, Feature
from bot.tables.events import Happened, Hook
from bot.tables.handlers.ids import DareId, NextTableId, OpenTableId, PlayAgainId


def register(app: App) -> Feature:
    """Register new tables."""
    rules = app.service(ServerRules)
    threads = TableThreads(app.tables, rules, app.table_messages.message_client, app.languages)
    archive = ThreadArchive(app.tables, app.service(SettingsCache), app.table_messages.message_client)
    new_tables = NewTables(
        app.tables, app.posts, app.pictures, rules, threads=threads, idle_tables=app.service(IdleTableCommands)
    )
    return Feature(
        services=(threads, new_tables),
        hooks=(Hook(Happened.ENDED, in_transaction=schedule),),
        jobs=(JobKind(ARCHIVE_KIND, archive.run),),
        follows=(threads.on_table_changed,),
        personal_caches=(threads.clear,),
        close=threads.tasks.close,
        buttons={
            OpenTableId: new_tables.press,
            DareId: new_tables.press,
            PlayAgainId: new_tables.press_next,
            NextTableId: new_tables.press_next,
            PutAsideId: new_tables.press_put_aside,
        },
    )
