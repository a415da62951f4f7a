"""Registers the settings."""

from bot.features.invitations.service import Invitations
from bot.features.reminders.service import Reminders
from bot.features.settings.commands import Settings
from bot.features.settings.handlers import SettingsCommands, SettingsPanels
from bot.features.settings.ids import DefaultOptionId, DefaultsPageId, ResetDefaultsId, SettingId, SettingsSectionId
from bot.features.settings.people import PeopleCache, PreferenceCache
from bot.features.settings.reading_aloud import reading_aloud
from bot.features.settings.reasons import SETTING_ERROR_MESSAGES
from bot.features.settings.rules import ServerRules
from bot.tables.app import App, Feature


def register(app: App) -> Feature:
    """Register the settings."""
    preferences, people = app.service(PreferenceCache), PeopleCache(app.db)
    rules = ServerRules(preferences, app.games)
    panels = SettingsPanels(
        app.host,
        # Registered later.
        lambda: app.service(Reminders),
        lambda: app.service(Invitations),
        preferences,
        app.db,
        people=people,
        ephemeral_messages=app.ephemeral_messages,
    )
    app.may_moderate, app.reading_aloud = rules.may_moderate, reading_aloud(people)
    return Feature(
        services=(people, rules, panels, SettingsCommands(panels, app.games)),
        cogs=(Settings(),),
        buttons=dict.fromkeys(
            (SettingId, SettingsSectionId, DefaultsPageId, DefaultOptionId, ResetDefaultsId), panels.press
        ),
        refusals=(SETTING_ERROR_MESSAGES,),
        caches=(people.clear, preferences.clear),
    )
