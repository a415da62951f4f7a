"""Custom ids of the settings."""

from dataclasses import dataclass
from typing import TypeAlias

from bot.features.settings.table import SettingsSection
from bot.platform.discord.ids import CustomId


@dataclass(frozen=True)
class SettingId(CustomId, prefix="S"):
    """The menu of a setting; the place is that of the click."""

    key: str


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
