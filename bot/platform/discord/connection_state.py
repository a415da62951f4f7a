"""What discord.py keeps in memory of each server.

By itself it keeps all channels and threads, which is most of a large bot's memory, and has no switch for that. Parlour
needs a server's name, its owner, the permissions of its roles and the bot's own membership. Whatever else it wants to
know comes with an interaction, or is requested from Discord.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final

import discord.shard
from discord import ChannelType
from discord.state import AutoShardedConnectionState

from bot.platform.discord.gateway_socket import describe_place, use_gateway_socket
from bot.platform.discord.interaction_data import complete_interaction
from bot.platform.discord.shard import use_independent_shards

log = logging.getLogger(__name__)

CHANNEL_DELETED: Final = "channel_deleted"
"""The event that comes with the ids of a deleted channel and, if it may have had threads, of its server."""

THREAD_DELETED: Final = "thread_deleted"
"""The event that comes with the id of a deleted thread."""

_GUILD_KEYS: Final = ("id", "name", "owner_id", "unavailable")
_MEMBER_KEYS: Final = ("user", "roles", "flags", "communication_disabled_until")
_NO_FEATURES: Final = list[str]()
"""One list for all servers."""

_TYPES_WITH_THREADS: Final = frozenset(
    kind.value for kind in (ChannelType.text, ChannelType.news, ChannelType.forum, ChannelType.media)
)

_FIRST_EVENT: Final = "READY"

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
        self.parsers = {event: partial(self._parse, event, parser) for event, parser in self.parsers.items()}
        self._unreadable = set[str]()
        """The kinds of events of which one could not be read."""

    def _parse(self, event: str, parser: Callable[[Any], None], data: Any) -> None:
        """Read an event. One that can't be read is lost, except for the first of a session: it needs another one."""
        try:
            parser(data)
        except Exception as fault:
            if event == _FIRST_EVENT:
                raise
            # Discord may send thousands of the same kind.
            level = logging.DEBUG if event in self._unreadable else logging.WARNING
            self._unreadable.add(event)
            log.log(level, "an event of Discord can't be read and is lost: %s (%s)", event, describe_place(fault))

    def parse_ready(self, data: Any) -> None:
        """Begin a session with its servers, of which the details come later."""
        ready: Any = {**data, "guilds": [{"id": each["id"], "unavailable": True} for each in data["guilds"]]}
        super().parse_ready(ready)

    def parse_guild_create(self, data: Any) -> None:
        """Add a server, which may come again after an outage or with a new session."""
        try:
            super().parse_guild_create(self._trim_guild(data))
        except Exception:
            # The bot is there all the same, and what is stored of the server must be kept.
            super().parse_guild_create(self._trim_guild({"id": data["id"]}))
            raise

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
        super().parse_interaction_create(complete_interaction(data))

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
    """Give the clients that are made in the block a trimmed state: discord.py takes it by its name only.

    All clients of the process connect with our `GatewaySocket` and `IndependentShard` from then on.
    """
    use_gateway_socket()
    use_independent_shards()
    name = AutoShardedConnectionState.__name__
    setattr(discord.shard, name, TrimmedConnectionState)
    try:
        yield
    finally:
        setattr(discord.shard, name, AutoShardedConnectionState)
