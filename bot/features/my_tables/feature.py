"""Registers the list of a person's tables."""

from bot.features.my_tables.commands import MyTablesCog, MyTablesCommands
from bot.features.my_tables.messages import MyTablesId
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register the list of a person's tables."""
    commands = MyTablesCommands(app.db, app.games)
    return Feature(
        services=(commands,),
        cogs=(MyTablesCog(),),
        buttons={MyTablesId: commands.turn_page},
    )
