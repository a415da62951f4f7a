"""Fake servers with channels and roles, as interactions know them."""

from collections.abc import Collection
from types import SimpleNamespace
from typing import Any
from unittest.mock import AsyncMock

import discord

from bot.platform.places import Person

READABLE, HIDDEN = discord.Permissions(read_messages=True), discord.Permissions.none()


KEEPS_ORDER = 777
"""The role of each server with Manage Messages in all channels."""


def make_server(*channels: int, hidden: Collection[int] = (), roles: Collection[int] = ()) -> Any:
    """A server with channels, some of them hidden from everyone, and roles."""
    made = {
        each: SimpleNamespace(
            id=each,
            type=discord.ChannelType.text,
            permissions_for=lambda _, given=HIDDEN if each in hidden else READABLE: given,
        )
        for each in channels
    }
    held = {each: SimpleNamespace(id=each, permissions=discord.Permissions.none()) for each in roles}
    held[KEEPS_ORDER] = SimpleNamespace(id=KEEPS_ORDER, permissions=discord.Permissions(manage_messages=True))
    return SimpleNamespace(
        id=3,
        me=None,
        name="Server",
        fetch_channels=AsyncMock(return_value=list(made.values())),
        active_threads=AsyncMock(return_value=[]),
        get_role=held.get,
        default_role=None,
        owner_id=None,
    )


def make_member(person: Person, server: Any, *roles: int) -> Any:
    """A member of a server with roles, without a connection."""
    user: Any = discord.User.__new__(discord.User)
    user.id, user.name, user.global_name, user.bot = person.id, person.name, person.name, False
    payload: Any = {"user": {}, "nick": person.name, "roles": list(map(str, roles)), "flags": 0}
    state: Any = SimpleNamespace(store_user=lambda _: user)
    return discord.Member(data=payload, guild=server, state=state)
