"""Custom ids of the settings."""

from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from bot.platform.discord.ids import CustomId


class Setting(StrEnum):
    """What can be set for a server, or for direct messages."""

    CHANNELS = "channels"
    THREADS = "threads"
    OPENERS = "openers"
    MODERATORS = "moderators"
    GAMES = "games"
    OPTIONS = "options"
    REMINDERS = "reminders"
    INVITATIONS = "invitations"
    HINTS = "hints"
    TIPS = "tips"
    PICTURES = "pictures"
    SEASON = "season"
    CLOCK = "clock"


class SettingsSection(StrEnum):
    """The pages of the settings."""

    TABLES = "tables"
    GAMES = "games"
    PLAY = "play"
    LOOK = "look"
    CHANGES = "changes"
    """Who changed what lately."""


@dataclass(frozen=True)
class SettingId(CustomId, prefix="S"):
    """The menu of a setting; the place is that of the click."""

    setting: Setting


@dataclass(frozen=True)
class SettingsSectionId(CustomId, prefix="Sp"):
    """The button that shows a page of the settings."""

    section: SettingsSection


@dataclass(frozen=True)
class DefaultsPageId(CustomId, prefix="Sd"):
    """The button that shows a page of the default options of a game."""

    game: str
    page: int


@dataclass(frozen=True)
class DefaultOptionId(CustomId, prefix="So"):
    """The menu of a default option of a game."""

    game: str
    option: str


@dataclass(frozen=True)
class ResetDefaultsId(CustomId, prefix="Sr"):
    """The button that makes new tables of a game start with its usual options."""

    game: str


SettingsComponentId: TypeAlias = SettingId | SettingsSectionId | DefaultsPageId | DefaultOptionId | ResetDefaultsId
