"""What discord.py keeps in memory of each server.

By itself it keeps all channels and threads, which is most of a large bot's memory, and has no switch for that. Parlour
needs a server's name, its owner, the permissions of its roles and the bot's own membership. Whatever else it wants to
know comes with an interaction, or is requested from Discord.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import discord.shard
from discord import ChannelType
from discord.state import AutoShardedConnectionState

CHANNEL_DELETED: Final = "channel_deleted"
"""The event that comes with the ids of a deleted channel and, if it may have had threads, of its server."""

THREAD_DELETED: Final = "thread_deleted"
"""The event that comes with the id of a deleted thread."""

_GUILD_KEYS: Final = ("id", "name", "owner_id", "unavailable")
_MEMBER_KEYS: Final = ("user", "roles", "flags", "communication_disabled_until")
_NO_FEATURES: Final = list[str]()
"""One list for all servers."""

_CHANNEL_DEFAULTS: Final = {
    "name": "",
    "position": 0,
    "bitrate": 0,
    "user_limit": 0,
    "owner_id": "0",
    "message_count": 0,
    "member_count": 0,
    "thread_metadata": {
        "archived": False,
        "auto_archive_duration": 1440,
        "archive_timestamp": "1970-01-01T00:00:00+00:00",
    },
}
"""What discord.py demands of channels and threads, and Discord does not promise for those of interactions."""

_TYPES_WITH_THREADS: Final = frozenset(
    kind.value for kind in (ChannelType.text, ChannelType.news, ChannelType.forum, ChannelType.media)
)

_NOTHING_SHOWN: Final = {"embeds": list[Any](), "components": list[Any](), "attachments": list[Any]()}
"""Instead of what a clicked message shows. The bot knows that better, and Discord sends all of it with each click."""

_IGNORED_EVENTS: Final = (
    "CHANNEL_CREATE",
    "CHANNEL_UPDATE",
    "THREAD_CREATE",
    "THREAD_UPDATE",
    "THREAD_LIST_SYNC",
    "STAGE_INSTANCE_CREATE",
    "STAGE_INSTANCE_UPDATE",
    "STAGE_INSTANCE_DELETE",
)
"""What comes with the guilds intent about things that are not kept."""


class TrimmedConnectionState(AutoShardedConnectionState[Any]):
    """Drops what nobody reads from events before discord.py makes objects of it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for event in _IGNORED_EVENTS:
            del self.parsers[event]

    def parse_guild_create(self, data: Any) -> None:
        """Add a server, which may come again after an outage or with a new session."""
        super().parse_guild_create(self._trim_guild(data))

    def parse_guild_update(self, data: Any) -> None:
        """Update a server's name, owner and roles."""
        super().parse_guild_update(self._trim_guild(data))

    def parse_channel_delete(self, data: Any) -> None:
        """Tell that a channel is gone, with its threads; discord.py does so only for those that it keeps."""
        guild_id = data.get("guild_id")
        had_threads = guild_id is not None and data.get("type") in _TYPES_WITH_THREADS
        self.dispatch(CHANNEL_DELETED, int(data["id"]), int(guild_id) if had_threads else None)

    def parse_thread_delete(self, data: Any) -> None:
        """Tell that a thread is gone, likewise."""
        self.dispatch(THREAD_DELETED, int(data["id"]))

    def parse_guild_role_create(self, data: Any) -> None:
        """Add a role."""
        super().parse_guild_role_create({**data, "role": _trim_role(data["role"])})

    def parse_guild_role_update(self, data: Any) -> None:
        """Update the permissions of a role."""
        super().parse_guild_role_update({**data, "role": _trim_role(data["role"])})

    def parse_interaction_create(self, data: Any) -> None:
        """Handle an interaction, whose channel is made of what comes with it."""
        if "message" in data:
            data = {**data, "message": {**data["message"], **_NOTHING_SHOWN}}
        if "guild_id" in data and "channel" in data:
            data = {**data, "channel": {**_CHANNEL_DEFAULTS, **data["channel"]}}
        super().parse_interaction_create(data)

    def _trim_guild(self, data: Any) -> Any:
        trimmed = {key: data[key] for key in _GUILD_KEYS if key in data}
        trimmed["roles"] = [_trim_role(role) for role in data.get("roles", ())]
        own_id = str(self.self_id)
        trimmed["members"] = [_trim_member(each) for each in data.get("members", ()) if each["user"]["id"] == own_id]
        trimmed["features"] = _NO_FEATURES
        return trimmed


def _trim_role(role: Any) -> Any:
    return {"id": role["id"], "name": "", "permissions": role["permissions"]}


def _trim_member(member: Any) -> Any:
    return {key: member[key] for key in _MEMBER_KEYS if key in member}


@contextmanager
def use_trimmed_state() -> Iterator[None]:
    """Give the clients that are made in the block a trimmed state: discord.py takes it by its name only."""
    name = AutoShardedConnectionState.__name__
    setattr(discord.shard, name, TrimmedConnectionState)
    try:
        yield
    finally:
        setattr(discord.shard, name, AutoShardedConnectionState)
