"""Registers tips."""

from bot.features.help.ids import NoTipsId
from bot.features.settings.people import PeopleCache, PreferenceCache
from bot.features.tips.handlers import TipCommands, no_tips_button
from bot.features.tips.service import TipLines
from bot.tables.app import App, Feature
from bot.tables.shown.parts import TipPart


def register(app: App) -> Feature:
    """Register tips."""
    lines = TipLines(app.service(PeopleCache), app.service(PreferenceCache))
    commands = TipCommands(lines, app.responses)
    return Feature(
        services=(lines, commands),
        buttons={NoTipsId: app.clicks.at_table(lambda click, table, _: commands.turn_off(click, table))},
        follows=(lines.on_table_changed,),
        tip=TipPart(lines.tip_for, lines.note_shown, no_tips_button),
        caches=(lines.clear,),
        close=commands.close,
    )
