"""The values of the settings that are chosen from a few, with their names."""

from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from bot.features.settings.ids import Setting, SettingsSection
from bot.features.settings.preferences import Preferences, SeasonLength, TurnClock
from bot.rules.picture import Theme
from bot.words import N_


class PictureChoice(StrEnum):
    """How tables are shown."""

    STANDARD = "standard"
    DARK = "dark"
    HIGH_CONTRAST = "high_contrast"
    OFF = "off"

    @property
    def theme(self) -> Theme | None:
        """The theme of pictures; None for words only."""
        return None if self is PictureChoice.OFF else Theme(self.value)


ON, OFF = "on", "off"
_SWITCH = {ON: N_("On"), OFF: N_("Off")}

TITLES: Final[Mapping[Setting, str]] = {
    Setting.CHANNELS: N_("Channels"),
    Setting.THREADS: N_("Thread per table"),
    Setting.OPENERS: N_("Who opens tables"),
    Setting.MODERATORS: N_("Who moderates"),
    Setting.GAMES: N_("Games"),
    Setting.OPTIONS: N_("Default options"),
    Setting.REMINDERS: N_("Reminders"),
    Setting.INVITATIONS: N_("Invitations"),
    Setting.HINTS: N_("Hints"),
    Setting.TIPS: N_("Tips"),
    Setting.PICTURES: N_("Pictures"),
    Setting.SEASON: N_("Season"),
    Setting.CLOCK: N_("Turn clock"),
}

SECTION_TITLES: Final[Mapping[SettingsSection, str]] = {
    SettingsSection.TABLES: N_("Tables"),
    SettingsSection.GAMES: N_("Games"),
    SettingsSection.PLAY: N_("Play"),
    SettingsSection.LOOK: N_("Look and time"),
    SettingsSection.CHANGES: N_("Changes"),
}

# A message has five rows: four menus and the buttons of the pages.
SECTIONS: Final[Mapping[SettingsSection, tuple[Setting, ...]]] = {
    SettingsSection.TABLES: (Setting.CHANNELS, Setting.THREADS, Setting.OPENERS, Setting.MODERATORS),
    SettingsSection.GAMES: (Setting.GAMES, Setting.OPTIONS),
    SettingsSection.PLAY: (Setting.REMINDERS, Setting.INVITATIONS, Setting.HINTS, Setting.TIPS),
    SettingsSection.LOOK: (Setting.PICTURES, Setting.SEASON, Setting.CLOCK),
    SettingsSection.CHANGES: (),
}

DIRECT_SETTINGS: Final = (Setting.PICTURES, Setting.INVITATIONS, Setting.HINTS, Setting.TIPS)
"""The settings of a direct message."""

PERSONAL_SETTINGS: Final = (Setting.INVITATIONS, Setting.TIPS)
"""The settings that, in a direct message, are for the user, everywhere."""

VALUE_LABELS: Final[Mapping[Setting, Mapping[str, str]]] = {
    Setting.PICTURES: {
        PictureChoice.STANDARD: N_("Standard"),
        PictureChoice.DARK: N_("Dark"),
        PictureChoice.HIGH_CONTRAST: N_("High contrast"),
        PictureChoice.OFF: N_("Off, words only"),
    },
    Setting.REMINDERS: _SWITCH,
    Setting.INVITATIONS: _SWITCH,
    Setting.HINTS: _SWITCH,
    Setting.TIPS: _SWITCH,
    Setting.THREADS: _SWITCH,
    Setting.SEASON: {
        SeasonLength.OFF: N_("Off"),
        SeasonLength.MONTH: N_("A month"),
        SeasonLength.QUARTER: N_("A quarter"),
        SeasonLength.YEAR: N_("A year"),
    },
    Setting.CLOCK: {
        TurnClock.NONE: N_("None"),
        TurnClock.TEN_MINUTES: N_("10 minutes"),
        TurnClock.ONE_DAY: N_("1 day"),
        TurnClock.THREE_DAYS: N_("3 days"),
    },
}
"""The values of each setting that is chosen from a few."""

_SWITCHES: Final[Mapping[Setting, str]] = {
    Setting.REMINDERS: "reminds",
    Setting.INVITATIONS: "invites",
    Setting.HINTS: "hints",
    Setting.TIPS: "tips",
    Setting.THREADS: "opens_threads",
}
"""The fields of the settings that are on or off."""

SETTINGS_BY_FIELD: Final[Mapping[str, Setting]] = {
    **{field: setting for setting, field in _SWITCHES.items()},
    "theme": Setting.PICTURES,
    "season": Setting.SEASON,
    "clock": Setting.CLOCK,
    "channels": Setting.CHANNELS,
    "opener_roles": Setting.OPENERS,
    "moderator_roles": Setting.MODERATORS,
    "games_off": Setting.GAMES,
    "options": Setting.OPTIONS,
}


def section_of(setting: Setting) -> SettingsSection:
    """Return the page that a setting is on."""
    return next(section for section, settings in SECTIONS.items() if setting in settings)


def value_of(chosen: Preferences, setting: Setting) -> str:
    """Return the value of a setting that is chosen from a few."""
    if setting in _SWITCHES:
        return ON if getattr(chosen, _SWITCHES[setting]) else OFF
    if setting is Setting.PICTURES:
        return PictureChoice.OFF if chosen.theme is None else PictureChoice(chosen.theme.value)
    return chosen.season.value if setting is Setting.SEASON else chosen.clock.value


def with_value(chosen: Preferences, setting: Setting, value: str) -> Preferences:
    """Return preferences with another value of such a setting."""
    match setting:
        case Setting.PICTURES:
            return replace(chosen, theme=PictureChoice(value).theme)
        case Setting.SEASON:
            return replace(chosen, season=SeasonLength(value))
        case Setting.CLOCK:
            return replace(chosen, clock=TurnClock(value))
        case _:
            switched: dict[str, Any] = {_SWITCHES[setting]: value == ON}
            return replace(chosen, **switched)
