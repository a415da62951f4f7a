"""What a server has chosen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from bot.rules.picture import Theme
from bot.tables.model import TurnClock


class SeasonLength(StrEnum):
    """How long a season of a server's leaderboards is."""

    OFF = "off"
    MONTH = "month"
    QUARTER = "quarter"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Preferences:
    """The settings of a server, or of a direct message."""

    theme: Theme | None = Theme.STANDARD
    """The pictures' theme; None for text only."""
    reminds: bool = True
    """Whether players are reminded of their turn, if the bot sends reminders at all."""
    invites: bool = True
    """Whether people can be invited to tables."""
    tips: bool = True
    """Whether tables show tips to people who are new to a game."""
    hints: bool = True
    """Whether players can ask for hints, unless the host of a table turns them off."""
    season: SeasonLength = SeasonLength.QUARTER
    """How long the seasons of the leaderboards are."""
    clock: TurnClock = TurnClock.NONE
    """The turn clock of new tables."""
    opens_threads: bool = False
    """Whether new tables get a thread each."""
    channels: frozenset[int] = frozenset()
    """The channels where tables can be opened, in their threads too; empty for everywhere."""
    opener_roles: frozenset[int] = frozenset()
    """The roles that may open tables; empty for everybody."""
    moderator_roles: frozenset[int] = frozenset()
    """The roles that may close tables and free seats, besides moderators by permission."""
    games_off: frozenset[str] = frozenset()
    """The keys of the games that can't be opened."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The options that new tables start with, as JSON by the game's key."""


@dataclass(frozen=True, slots=True)
class SettingsAuthor:
    """Who changes settings, and when."""

    user_id: int
    at: datetime


@dataclass(frozen=True, slots=True)
class SettingsChange:
    """A change of one setting, as recorded."""

    user_id: int | None
    """Who made it; None if that was erased."""
    at: datetime
    setting: str
    """The name of the field of Preferences."""
    value: str | None
    """The new value, as stored; None if it is nothing."""
