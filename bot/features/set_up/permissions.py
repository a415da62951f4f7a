"""Finds the permissions that the bot lacks in the channels of a server, and where it can greet."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import discord
from discord.abc import GuildChannel

from bot.features.settings.all_settings import ALONE, CHANNELS, TABLE_CHANNELS, TABLES, settings_of
from bot.features.settings.choices import AloneChoice, TablesChoice
from bot.features.settings.kinds import Channels, Chosen
from bot.features.settings.posts import LOG_CHANNELS
from bot.platform.discord.channels import missing_for_posts, missing_for_tables

PermissionsIn = Callable[[GuildChannel], discord.Permissions]
"""Returns the permissions of the bot in a channel."""

_NO_CATEGORY: Final = -1


@dataclass(frozen=True, slots=True)
class PermissionCheck:
    """What the bot lacks in the channels of a server."""

    missing: Mapping[int, Sequence[str]]
    """The names of the missing permissions, by channel; channels without any are left out."""
    complete: int
    """The number of channels in which nothing is missing."""
    hidden: int
    """The number of further channels that the bot can't see, none of which was chosen for anything."""


def check_permissions(
    channels: Sequence[GuildChannel], permissions_in: PermissionsIn, chosen: Chosen
) -> PermissionCheck:
    """Check the chosen channels for games, or else all that the bot can see, and those in which the bot posts."""
    needed = {channel.id: channel for channel in channels if channel.type in TABLE_CHANNELS}
    hidden = 0
    if places := chosen.get(CHANNELS):
        needed = {id_: channel for id_, channel in needed.items() if id_ in places}
    else:
        seen = {id_: channel for id_, channel in needed.items() if permissions_in(channel).view_channel}
        needed, hidden = seen, len(needed) - len(seen)
    opens_threads = chosen.get(TABLES) is TablesChoice.THREAD
    opens_private = chosen.get(ALONE) is AloneChoice.FREE
    missing = {
        id_: missing_for_tables(
            permissions_in(channel), channel.type, opens_threads=opens_threads, opens_private_threads=opens_private
        )
        for id_, channel in needed.items()
    }
    posted_in = {id_ for setting in settings_of(Channels) if setting is not CHANNELS for id_ in chosen.get(setting)}
    for channel in channels:
        if channel.id in posted_in and channel.id not in missing:
            missing[channel.id] = missing_for_posts(permissions_in(channel))
    lacking = {id_: names for id_, names in missing.items() if names}
    return PermissionCheck(lacking, len(missing) - len(lacking), hidden)


def find_places_to_greet(
    channels: Sequence[GuildChannel], permissions_in: PermissionsIn, system_channel_id: int | None
) -> Sequence[int]:
    """Return the channels in which the bot may write, in the order in which people see them, the system's first."""
    positions = {channel.id: channel.position for channel in channels}
    usable = [
        channel
        for channel in channels
        if channel.type in LOG_CHANNELS and not missing_for_posts(permissions_in(channel))
    ]

    def place_of(channel: GuildChannel) -> tuple[bool, int, int, int]:
        category = positions.get(channel.category_id or 0, _NO_CATEGORY)
        return channel.id != system_channel_id, category, channel.position, channel.id

    return [channel.id for channel in sorted(usable, key=place_of)]
