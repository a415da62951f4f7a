"""Registers hints."""

from bot.features.hints.handlers import HintCommands
from bot.features.hints.messages import HintId, ShowHintId, hint_buttons
from bot.features.hints.service import HINT_ERROR_MESSAGES
from bot.features.settings.service import SettingsCache
from bot.tables.app import App, Feature
from bot.tables.handlers.commands import TableCommands
from bot.tables.shown.parts import ButtonPart, Place


def register(app: App) -> Feature:
    """Register hints."""
    settings = app.service(SettingsCache)
    hints = HintCommands(
        app.tables,
        app.host.thinker,
        settings,
        app.service(TableCommands),
        table_responses=app.responses,
        ephemeral_messages=app.ephemeral_messages,
    )
    app.explain_hints = hints.explain
    return Feature(
        services=(hints,),
        buttons=dict.fromkeys((HintId, ShowHintId), app.clicks.at_table(hints.press)),
        refusals=(HINT_ERROR_MESSAGES,),
        table_buttons=(
            ButtonPart(
                Place.MOVER_BUTTON, lambda table: hint_buttons(table, settings.known(table.header.location.scope_id))
            ),
        ),
    )
