"""Fake servers with channels and roles, as interactions know them."""

from collections.abc import Collection
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord

from bot.platform.places import Person

READABLE, HIDDEN = discord.Permissions(read_messages=True), discord.Permissions.none()


KEEPS_ORDER, MENTIONS_ALL = 777, 778
PRIVILEGED = {
    KEEPS_ORDER: discord.Permissions(manage_messages=True),
    MENTIONS_ALL: discord.Permissions(mention_everyone=True),
}
"""The roles of each server with a permission in all channels."""


def make_server(
    *channels: int, hidden: Collection[int] = (), roles: Collection[int] = (), mentionable: Collection[int] = ()
) -> Any:
    """A server with channels, some of them hidden from everyone, and roles, some of which everyone may mention."""
    made = {
        each: SimpleNamespace(
            id=each,
            type=discord.ChannelType.text,
            permissions_for=lambda _, given=HIDDEN if each in hidden else READABLE: given,
        )
        for each in channels
    }
    held = {
        each: SimpleNamespace(id=each, permissions=discord.Permissions.none(), mentionable=each in mentionable)
        for each in roles
    }
    for each, may in PRIVILEGED.items():
        held[each] = SimpleNamespace(id=each, permissions=may, mentionable=False)
    return SimpleNamespace(
        id=3,
        me=None,
        name="Server",
        fetch_channels=AsyncMock(return_value=list(made.values())),
        active_threads=AsyncMock(return_value=[]),
        fetch_channel=AsyncMock(side_effect=discord.InvalidData),
        get_role=held.get,
        default_role=None,
        owner_id=None,
    )


def make_member(person: Person, server: Any, *roles: int, permissions: discord.Permissions | None = None) -> Any:
    """A member of a server with roles, and perhaps with permissions in a channel, without a connection."""
    user: Any = discord.User.__new__(discord.User)
    user.id, user.name, user.global_name, user.bot = person.id, person.name, person.name, False
    payload: Any = {"user": {}, "nick": person.name, "roles": list(map(str, roles)), "flags": 0}
    if permissions is not None:
        payload["permissions"] = str(permissions.value)
    state: Any = SimpleNamespace(store_user=lambda _: user)
    return discord.Member(data=payload, guild=server, state=state)
