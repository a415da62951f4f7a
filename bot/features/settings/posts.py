"""Declares the settings of what the bot posts by itself in a server: log, daily post, news of tournaments."""

from typing import Final

from discord import ChannelType

from bot.features.settings.kinds import Channels, Hours, Roles, Setting, SettingsSection, Zones
from bot.features.settings.reasons import SettingReason
from bot.platform.time_zones import NO_ZONE
from bot.words import N_

LOG_CHANNELS: Final = (ChannelType.text, ChannelType.news)
"""The types of channels in which the log can be."""

LOG: Final = Setting(
    "log",
    SettingsSection.MODERATION,
    N_("Log"),
    frozenset(),
    Channels(
        N_("A line in {choice} for everything that moderators do, for tables that people close, and for tournaments."),
        N_("**None.** Choose a channel that only moderators see."),
        N_("⚠️ The chosen channel doesn't exist any more."),
        N_("Log: none"),
        LOG_CHANNELS,
        most=1,
    ),
)
DAILY_CHANNEL: Final = Setting(
    "daily_channel",
    SettingsSection.DAILY,
    N_("Daily post"),
    frozenset(),
    Channels(
        N_("Each day in {choice}: the results of the last ten rolls, and a button for today's rolls and puzzle."),
        N_("**Off.** Choose a channel for a message a day, with the last results and a button to play."),
        N_("⚠️ The chosen channel was deleted. Choose another."),
        N_("Daily post: off"),
        LOG_CHANNELS,
        most=1,
    ),
)
DAILY_HOUR: Final = Setting(
    "daily_hour",
    SettingsSection.DAILY,
    N_("Hour of the daily post"),
    9,
    Hours(N_("Within ten minutes after **{choice}**.")),
)
DAILY_ROLE: Final = Setting(
    "daily_role",
    SettingsSection.DAILY,
    N_("Mention in the daily post"),
    frozenset(),
    Roles(
        N_("{choice}, if everyone may mention that role, or I have *Mention @everyone*."),
        N_("**No one** is mentioned."),
        N_("⚠️ The chosen role was deleted, so **no one** is mentioned."),
        N_("Mention in the daily post: no one"),
        SettingReason.EVERYONE_MENTIONED,
        are_mentioned=True,
        most=1,
    ),
)
DAILY_ZONE: Final = Setting(
    "daily_zone",
    SettingsSection.DAILY,
    N_("Time zone of the daily post"),
    NO_ZONE,
    Zones(N_("**{choice}**. `/settings daily zone:` chooses another.")),
)
TOURNAMENT_CHANNEL: Final = Setting(
    "tournament_channel",
    SettingsSection.TOURNAMENTS,
    N_("Tournament announcements"),
    frozenset(),
    Channels(
        N_("A message in {choice} when a tournament opens, and one when it has ended."),
        N_("**Off.** Choose a channel for a message when a tournament opens, and one when it has ended."),
        N_("⚠️ The chosen channel was deleted. Choose another."),
        N_("Tournament announcements: off"),
        LOG_CHANNELS,
        most=1,
    ),
)
TOURNAMENT_ROLE: Final = Setting(
    "tournament_role",
    SettingsSection.TOURNAMENTS,
    N_("Mention in tournament announcements"),
    frozenset(),
    Roles(
        N_("{choice}, if everyone may mention that role, or I have *Mention @everyone*."),
        N_("**No one** is mentioned."),
        N_("⚠️ The chosen role was deleted, so **no one** is mentioned."),
        N_("Mention in tournament announcements: no one"),
        SettingReason.EVERYONE_MENTIONED,
        are_mentioned=True,
        most=1,
    ),
)
