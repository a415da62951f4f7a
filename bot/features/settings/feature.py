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
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.service import ServerRules, SettingsCache, reading_aloud
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register the settings."""
    settings = app.service(SettingsCache)
    rules = ServerRules(settings, app.games, app.clock)
    log = ModeratorLog(settings, app.table_messages.message_client)
    panels = SettingsPanels(
        app.host,
        settings,
        app.db,
        log=log,
        ephemeral_messages=app.ephemeral_messages,
    )
    app.may_moderate, app.reading_aloud = rules.may_moderate, reading_aloud(settings)
    app.log_action, app.find_fixed = log.note, rules.find_fixed
    app.table_messages.parts.find_fixed = rules.known_fixed
    return Feature(
        services=(rules, log, panels, SettingsCommands(panels, app.games)),
        cogs=(SettingsCog(),),
        buttons=dict.fromkeys(
            (SettingId, SettingsSectionId, DefaultsPageId, DefaultOptionId, ResetDefaultsId), panels.press
        ),
        refusals=(SETTING_ERROR_MESSAGES,),
        personal_caches=(settings.clear, rules.clear, log.clear),
        close=log.tasks.close,
    )
