"""Limits what discord.py keeps in memory of each server.

By default, discord.py keeps all channels and threads, which are most of a large bot's memory and can't be switched off.
Parlour needs a server's name, its owner, who may use and mention its roles, and the bot's own membership. All the rest
comes with an interaction or is requested from Discord.
"""

import asyncio
import logging
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from functools import partial
from threading import Thread
from typing import Any, Final

import discord.shard
from aiohttp import TCPConnector
from aiohttp.abc import AbstractResolver, ResolveResult
from discord import ChannelType, Permissions
from discord.gateway import DiscordWebSocket
from discord.shard import Shard
from discord.state import AutoShardedConnectionState
from discord.utils import parse_time, utcnow

from bot.platform.discord.gateway import GatewaySocket, IndependentShard, describe_place

_SERVER_CHANNELS: Final = frozenset(
    kind.value
    for kind in (ChannelType.text, ChannelType.voice, ChannelType.news, ChannelType.stage_voice, ChannelType.forum)
)
_THREADS: Final = frozenset(
    kind.value for kind in (ChannelType.news_thread, ChannelType.public_thread, ChannelType.private_thread)
)
_DIRECT_CHANNELS: Final = frozenset((ChannelType.private.value, ChannelType.group.value))

_UNKNOWN_KIND: Final = ChannelType.voice.value
"""The assumed kind of a server's channel of unknown kind: it allows messages, but no threads."""

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
"""Fields of channels and threads that discord.py requires and the bot does not use."""

_ALL_PERMISSIONS: Final = str(Permissions.all().value)
"""The assumed permissions of the bot where Discord does not send them; a failing request shows missing ones."""

_UPLOAD_BYTES: Final = 10 * 1024 * 1024
_AS_THEY_ARE: Final = ("id", "type", "application_id", "token", "locale", "guild_locale", "context")
"""Fields of an interaction that are passed on unchanged, some of them optional."""

_BY_SERVER: Final = "0"
"""The key of the server among those for which the bot was installed."""


def complete_interaction(data: Any) -> Any:
    """Return an interaction in a form that discord.py can read.

    In a server in which only its user has installed the bot, it looks like a direct message.

    Raises:
        LookupError, TypeError, ValueError, AttributeError: The interaction lacks fields that an answer needs.
    """
    guild_id, member = data.get("guild_id"), _dict(data.get("member"))
    owners = data.get("authorizing_integration_owners") or {_BY_SERVER: guild_id}
    is_outside = guild_id is not None and _BY_SERVER not in owners
    if is_outside:
        guild_id = None
    sender = data.get("user") or member["user"]
    known = {key: value for key, value in sender.items() if value is not None}
    user = {"username": str(sender["id"]), "discriminator": "0", "avatar": None, **known}
    message = _dict(data.get("message"))
    completed: dict[str, Any] = {key: data[key] for key in _AS_THEY_ARE if data.get(key) is not None}
    completed |= {"version": 1, "attachment_size_limit": _UPLOAD_BYTES, "user": user}
    if "data" in data:
        completed["data"] = {key: value for key, value in _dict(data["data"]).items() if value is not None}
        if is_outside and "resolved" in completed["data"]:
            completed["data"]["resolved"] = {**_dict(completed["data"]["resolved"]), "members": {}}
    if guild_id is not None:
        completed |= {"guild_id": guild_id, "member": _complete_member(member, user)}
        completed["authorizing_integration_owners"] = owners
        completed["app_permissions"] = _number_text(data.get("app_permissions"), _ALL_PERMISSIONS)
    if (channel := _complete_channel(data, guild_id)) is not None:
        completed["channel"] = channel
    if message.get("id") is not None:
        # Leave out embeds and components, which the bot knows better.
        flags, content = message.get("flags"), str(message.get("content") or "")
        flags = flags if isinstance(flags, int) else 0
        completed["message"] = {"id": message["id"], "type": 0, "content": content, "flags": flags}
    return completed


def _complete_channel(data: Any, guild_id: Any) -> Any:
    """Return the channel, with an assumed kind if the kind is unknown; None without an id."""
    channel = _dict(data.get("channel"))
    id_ = channel.get("id") or data.get("channel_id") or _dict(data.get("message")).get("channel_id")
    if id_ is None:
        return None
    kind, parent_id = channel.get("type"), channel.get("parent_id")
    if guild_id is None:
        return {"id": id_, "type": kind if kind in _DIRECT_CHANNELS else ChannelType.private.value}
    if kind not in (_SERVER_CHANNELS | _THREADS if parent_id is not None else _SERVER_CHANNELS):
        kind = _UNKNOWN_KIND
    newest = channel.get("last_message_id")
    known = {"last_message_id": newest} if str(newest).isdecimal() else {}
    return {**_CHANNEL_DEFAULTS, "id": id_, "type": kind, "parent_id": parent_id, **known}


def _complete_member(member: Any, user: Any) -> Any:
    nick, roles = member.get("nick"), member.get("roles")
    return {
        "user": user,
        "nick": nick if isinstance(nick, str) else None,
        "roles": [each for each in roles if str(each).isdecimal()] if isinstance(roles, list) else [],
        "permissions": _number_text(member.get("permissions"), "0"),
        "flags": 0,
    }


def _number_text(value: Any, default: str) -> str:
    return str(value) if str(value).isdecimal() else default


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


_NUMERIC: Final = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


def make_connector() -> TCPConnector:
    """Return a connector like discord.py's, but with our resolver."""
    return TCPConnector(limit=0, resolver=Resolver())


class Resolver(AbstractResolver):
    """Resolves host names in daemon threads.

    At its end, a process waits for the threads of asyncio's executor. Without an answer from a name server, the system
    call takes many seconds to give up.
    """

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_INET
    ) -> list[ResolveResult]:
        """Return the addresses of a host.

        Raises:
            OSError: The host can't be resolved.
        """
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[list[Any]] = loop.create_future()

        def look_up() -> None:
            try:
                found = socket.getaddrinfo(host, port, family, socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG)
            except OSError as fault:
                report(answer.set_exception, fault)
            else:
                report(answer.set_result, found)

        def report(set_answer: Any, outcome: object) -> None:
            # The event loop may be closed by now, and then nobody needs the result.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(lambda: None if answer.done() else set_answer(outcome))

        Thread(target=look_up, name=f"look up {host}", daemon=True).start()
        return [
            ResolveResult(
                hostname=host, host=address[0], port=address[1], family=address_family, proto=proto, flags=_NUMERIC
            )
            for address_family, _, proto, _, address in await answer
        ]

    async def close(self) -> None:
        """Do nothing: running lookups end by themselves."""


log = logging.getLogger(__name__)

CHANNEL_DELETED: Final = "channel_deleted"
"""The event of a deleted channel, with its id and, if it may have had threads, the server's id."""

THREAD_DELETED: Final = "thread_deleted"
"""The event of a deleted thread, with its id."""

SERVER_ENTERED: Final = "server_entered"
"""The event of a server in which the bot is new, with its id, the time, and the id of its system channel or None."""

NEW_FOR: Final = timedelta(days=1)
"""How long the bot is new in a server; at a start, Discord describes all servers."""

_GUILD_KEYS: Final = ("id", "name", "owner_id", "unavailable", "preferred_locale")
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
"""Events of the guilds intent about objects that the bot does not keep."""


class TrimmedConnectionState(AutoShardedConnectionState[Any]):
    """Drops unused data from events before discord.py makes objects of it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        for event in _IGNORED_EVENTS:
            del self.parsers[event]
        self.parsers = {event: partial(self._parse, event, parser) for event, parser in self.parsers.items()}
        self._unreadable = set[str]()
        """Kinds of events with at least one that could not be read."""

    def _parse(self, event: str, parser: Callable[[Any], None], data: Any) -> None:
        """Read an event. Drop an unreadable one, except for the first event, which a session can't do without."""
        try:
            parser(data)
        except Exception as fault:
            if event == _FIRST_EVENT:
                raise
            # Discord may send thousands of unreadable events of the same kind.
            level = logging.DEBUG if event in self._unreadable else logging.WARNING
            self._unreadable.add(event)
            log.log(level, "an event of Discord can't be read and is lost: %s (%s)", event, describe_place(fault))

    def parse_ready(self, data: Any) -> None:
        """Begin a session with its servers, whose details follow."""
        ready: Any = {**data, "guilds": [{"id": each["id"], "unavailable": True} for each in data["guilds"]]}
        super().parse_ready(ready)

    def parse_guild_create(self, data: Any) -> None:
        """Add a server, perhaps again after an outage or with a new session."""
        try:
            super().parse_guild_create(self._trim_guild(data))
        except Exception:
            # The bot is a member nevertheless, and the server's stored data must stay.
            super().parse_guild_create(self._trim_guild({"id": data["id"]}))
            raise
        since = parse_time(data.get("joined_at"))
        if since is not None and utcnow() - since < NEW_FOR:
            system_channel_id = data.get("system_channel_id")
            self.dispatch(SERVER_ENTERED, int(data["id"]), since, system_channel_id and int(system_channel_id))

    def parse_guild_update(self, data: Any) -> None:
        """Update a server's name, owner and roles."""
        super().parse_guild_update(self._trim_guild(data))

    def parse_channel_delete(self, data: Any) -> None:
        """Report a deleted channel with its threads; discord.py only reports channels that it keeps."""
        guild_id = data.get("guild_id")
        had_threads = guild_id is not None and data.get("type") in _TYPES_WITH_THREADS
        self.dispatch(CHANNEL_DELETED, int(data["id"]), int(guild_id) if had_threads else None)

    def parse_thread_delete(self, data: Any) -> None:
        """Report a deleted thread, for the same reason."""
        self.dispatch(THREAD_DELETED, int(data["id"]))

    def parse_guild_role_create(self, data: Any) -> None:
        """Add a role."""
        super().parse_guild_role_create({**data, "role": _trim_role(data["role"])})

    def parse_guild_role_update(self, data: Any) -> None:
        """Update the permissions of a role."""
        super().parse_guild_role_update({**data, "role": _trim_role(data["role"])})

    def parse_interaction_create(self, data: Any) -> None:
        """Handle an interaction, and build its channel from the interaction's own data."""
        super().parse_interaction_create(complete_interaction(data))

    def _trim_guild(self, data: Any) -> Any:
        trimmed = {key: data[key] for key in _GUILD_KEYS if key in data}
        trimmed["roles"] = [_trim_role(role) for role in data.get("roles", ())]
        own_id = str(self.self_id)
        trimmed["members"] = [
            {key: member[key] for key in _MEMBER_KEYS if key in member}
            for member in data.get("members", ())
            if member["user"]["id"] == own_id
        ]
        trimmed["features"] = _NO_FEATURES
        return trimmed


def _trim_role(role: Any) -> Any:
    is_mentionable = role.get("mentionable") is True
    return {"id": role["id"], "name": "", "permissions": role["permissions"], "mentionable": is_mentionable}


@contextmanager
def use_trimmed_state() -> Iterator[None]:
    """Give clients created in the body a trimmed state, by replacing the classes' names in discord.py.

    From then on, all clients of the process connect with our `GatewaySocket` and `IndependentShard`.
    """
    setattr(discord.shard, DiscordWebSocket.__name__, GatewaySocket)
    setattr(discord.shard, Shard.__name__, IndependentShard)
    name = AutoShardedConnectionState.__name__
    setattr(discord.shard, name, TrimmedConnectionState)
    try:
        yield
    finally:
        setattr(discord.shard, name, AutoShardedConnectionState)
