"""What discord.py gets to read of an interaction: what the bot uses, with something in place of what is missing.

By itself, discord.py gives an interaction up because of any field that it does not expect, such as a new type of
channel, although the id of the channel is all that a table needs.
"""

from typing import Any, Final

from discord import ChannelType, Permissions

_SERVER_CHANNELS: Final = frozenset(
    kind.value
    for kind in (ChannelType.text, ChannelType.voice, ChannelType.news, ChannelType.stage_voice, ChannelType.forum)
)
_THREADS: Final = frozenset(
    kind.value for kind in (ChannelType.news_thread, ChannelType.public_thread, ChannelType.private_thread)
)
_DIRECT_CHANNELS: Final = frozenset((ChannelType.private.value, ChannelType.group.value))

_UNKNOWN_KIND: Final = ChannelType.voice.value
"""What a channel of a server is taken for if its kind is not known: messages can be posted there, threads can't."""

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
"""What discord.py demands of channels and threads, and the bot does not use."""

_ALL_PERMISSIONS: Final = str(Permissions.all().value)
"""What the bot is taken to have where Discord does not say: a request shows what it lacks."""

_UPLOAD_BYTES: Final = 10 * 1024 * 1024
_AS_THEY_ARE: Final = ("id", "type", "application_id", "token", "guild_id", "locale", "guild_locale", "context")
"""The fields without which there is no interaction, and those that may be missing anyway."""


def complete_interaction(data: Any) -> Any:
    """Return an interaction as discord.py can read it.

    Raises:
        LookupError, TypeError, ValueError, AttributeError: It lacks what an answer needs.
    """
    guild_id, member = data.get("guild_id"), _dict(data.get("member"))
    user = _complete_user(data.get("user") or member["user"])
    message = _complete_message(_dict(data.get("message")))
    completed: dict[str, Any] = {key: data[key] for key in _AS_THEY_ARE if data.get(key) is not None}
    completed |= {"version": 1, "attachment_size_limit": _UPLOAD_BYTES, "user": user}
    if "data" in data:
        completed["data"] = {key: value for key, value in _dict(data["data"]).items() if value is not None}
    if guild_id is not None:
        completed["member"] = _complete_member(member, user)
        completed["authorizing_integration_owners"] = data.get("authorizing_integration_owners") or {"0": guild_id}
        completed["app_permissions"] = _number_text(data.get("app_permissions"), _ALL_PERMISSIONS)
    if (channel := _complete_channel(data, guild_id)) is not None:
        completed["channel"] = channel
    if message is not None:
        completed["message"] = message
    return completed


def _complete_channel(data: Any, guild_id: Any) -> Any:
    """Return the channel; one whose kind is not known still has its id. None if there is not even that."""
    channel = _dict(data.get("channel"))
    id_ = channel.get("id") or data.get("channel_id") or _dict(data.get("message")).get("channel_id")
    if id_ is None:
        return None
    kind, parent_id = channel.get("type"), channel.get("parent_id")
    if guild_id is None:
        return {"id": id_, "type": kind if kind in _DIRECT_CHANNELS else ChannelType.private.value}
    if kind not in (_SERVER_CHANNELS | _THREADS if parent_id is not None else _SERVER_CHANNELS):
        kind = _UNKNOWN_KIND
    return {**_CHANNEL_DEFAULTS, "id": id_, "type": kind, "parent_id": parent_id}


def _complete_message(message: Any) -> Any:
    """Return the clicked message without what it shows: the bot knows that better; None if there is none."""
    if message.get("id") is None:
        return None
    flags = message.get("flags")
    return {
        "id": message["id"],
        "type": 0,
        "content": str(message.get("content") or ""),
        "flags": flags if isinstance(flags, int) else 0,
    }


def _complete_member(member: Any, user: Any) -> Any:
    nick, roles = member.get("nick"), member.get("roles")
    return {
        "user": user,
        "nick": nick if isinstance(nick, str) else None,
        "roles": [each for each in roles if str(each).isdecimal()] if isinstance(roles, list) else [],
        "permissions": _number_text(member.get("permissions"), "0"),
        "flags": 0,
    }


def _complete_user(user: Any) -> Any:
    told = {key: value for key, value in user.items() if value is not None}
    return {"username": str(user["id"]), "discriminator": "0", "avatar": None, **told}


def _number_text(value: Any, default: str) -> str:
    return str(value) if str(value).isdecimal() else default


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
