"""Registers the settings."""

import asyncio

from bot.features.settings.commands import SettingsCog, SettingsCommands
from bot.features.settings.daily_post import DailyPostCommands
from bot.features.settings.handlers import SettingsPanels
from bot.features.settings.languages import StoredLanguages
from bot.features.settings.messages import (
    ChangeSettingId,
    DefaultOptionId,
    DefaultsPageId,
    ResetDefaultsId,
    SettingId,
    SettingsPagesId,
    SettingsSectionId,
)
from bot.features.settings.moderator_log import ModeratorLog
from bot.features.settings.reasons import SETTING_ERROR_MESSAGES, SettingReason
from bot.features.settings.service import ServerRules, SettingsCache, reading_aloud
from bot.platform.registration import ClientEvent
from bot.tables.app import App, Feature
from bot.words import gettext as _


def register(app: App) -> Feature:
    """Register the settings."""
    settings = app.service(SettingsCache)
    rules = ServerRules(settings, app.games, app.clock)
    log = ModeratorLog(settings, app.table_messages.message_client, app.languages)
    panels = SettingsPanels(
        app.host,
        settings,
        app.db,
        log=log,
        ephemeral_messages=app.ephemeral_messages,
        languages=app.languages,
    )
    stored_languages = StoredLanguages(settings)
    app.languages.find_tags, app.languages.note_seen = stored_languages.find, stored_languages.note

    async def warn_of_lost_channels(guild_id: int) -> None:
        server = app.find_server(guild_id)
        if server is not None and not await rules.has_place(server):
            log.note(guild_id, lambda: "⚠️ " + _(SETTING_ERROR_MESSAGES[SettingReason.CHANNELS_GONE]))

    async def close(seconds: float) -> None:
        await asyncio.gather(log.tasks.close(seconds), stored_languages.close(seconds))

    app.may_moderate, app.reading_aloud = rules.may_moderate, reading_aloud(settings)
    app.log_action, app.find_fixed = log.note, rules.find_fixed
    app.tables.frees_channel = rules.frees_channel
    app.table_messages.parts.find_fixed = rules.known_fixed
    return Feature(
        services=(rules, log, panels, SettingsCommands(panels, app.games), DailyPostCommands(panels, app.clock)),
        cogs=(SettingsCog(),),
        buttons=dict.fromkeys(
            (
                SettingId,
                ChangeSettingId,
                SettingsSectionId,
                SettingsPagesId,
                DefaultsPageId,
                DefaultOptionId,
                ResetDefaultsId,
            ),
            panels.press,
        ),
        refusals=(SETTING_ERROR_MESSAGES,),
        listeners={ClientEvent.CHANNELS_LOST: warn_of_lost_channels},
        personal_caches=(settings.clear, rules.clear, log.clear),
        close=close,
    )
