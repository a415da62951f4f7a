"""Registers new tables."""

from bot.features.idle_tables.handlers import IdleTableCommands
from bot.features.idle_tables.messages import PutAsideId
from bot.features.new_tables.handlers import NewTables
from bot.features.new_tables.threads import TableThreads
from bot.features.settings.service import ServerRules
from bot.tables.app import App, Feature
from bot.tables.handlers.ids import DareId, NextTableId, OpenTableId, PlayAgainId


def register(app: App) -> Feature:
    """Register new tables."""
    rules = app.service(ServerRules)
    threads = TableThreads(app.tables, rules)
    new_tables = NewTables(
        app.tables, app.posts, app.pictures, rules, threads=threads, idle_tables=app.service(IdleTableCommands)
    )
    return Feature(
        services=(threads, new_tables),
        buttons={
            OpenTableId: new_tables.press,
            DareId: new_tables.press,
            PlayAgainId: new_tables.press_next,
            NextTableId: new_tables.press_next,
            PutAsideId: new_tables.press_put_aside,
        },
    )
