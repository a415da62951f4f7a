"""Registers the settings."""

from bot.features.settings.all_settings import SETTING_ERROR_MESSAGES
from bot.features.settings.commands import SettingsCog
from bot.features.settings.handlers import SettingsCommands, SettingsPanels
from bot.features.settings.messages import (
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    SettingId,
    SettingsSectionId,
)
from bot.features.settings.service import ServerRules, SettingsCache, reading_aloud
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register the settings."""
    settings = app.service(SettingsCache)
    rules = ServerRules(settings, app.games)
    panels = SettingsPanels(
        app.host,
        settings,
        app.db,
        ephemeral_messages=app.ephemeral_messages,
    )
    app.may_moderate, app.reading_aloud = rules.may_moderate, reading_aloud(settings)
    return Feature(
        services=(rules, panels, SettingsCommands(panels, app.games)),
        cogs=(SettingsCog(),),
        buttons=dict.fromkeys(
            (SettingId, SettingsSectionId, DefaultsPageId, DefaultOptionId, ResetDefaultsId), panels.press
        ),
        refusals=(SETTING_ERROR_MESSAGES,),
        personal_caches=(settings.clear,),
    )
