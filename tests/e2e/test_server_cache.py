"""What the client keeps in memory of servers: as little as it needs, and always as it is now."""

from typing import Any

import discord
import pytest

from bot.sandbox.gateway.gateway import guild_payload
from bot.sandbox.gateway.session import Intents
from bot.sandbox.model.channels import Thread
from bot.sandbox.model.permissions import Overwrite, OverwriteKind, Permissions
from bot.sandbox.model.servers import Role
from tests.support.parlour import Parlour, shows_moves
from tests.support.waiting import wait_until

PLAYERS = 1100000000000000041
"""A role that Wren and Jay have."""

UNUSED = {
    "emojis": [{"id": "1", "name": "smile", "roles": [], "animated": False, "available": True}],
    "voice_states": [{"user_id": "1", "channel_id": "2", "session_id": "3"}],
    "features": ["COMMUNITY"],
}


def guild_of(parlour: Parlour) -> discord.Guild:
    (guild,) = parlour.client.guilds
    return guild


def dispatch(parlour: Parlour, event: str, data: Any) -> None:
    server = parlour.sandbox.world.server
    parlour.sandbox.gateway.dispatch(event, {"guild_id": str(server.id), **data}, server.id, Intents.GUILDS)


def add_thread(parlour: Parlour) -> Thread:
    world = parlour.sandbox.world
    thread = Thread(world, world.snowflakes.next_id(), parlour.here, "A thread", world.people[0])
    world.add_thread(thread)
    return thread


def require_nothing_unused(guild: discord.Guild) -> None:
    assert not any((guild.channels, guild.threads, guild.emojis, guild.stickers, guild.features))
    assert not any(role.name for role in guild.roles)
    assert [member.id for member in guild.members] == [guild.me.id]


async def test_of_a_server_only_name_owner_role_permissions_and_the_bot_are_kept(parlour: Parlour) -> None:
    world = parlour.sandbox.world
    server, (guild,) = world.server, parlour.client.guilds
    require_nothing_unused(guild)
    assert (guild.name, guild.owner_id) == (server.name, server.owner.id)
    assert {role.id: role.permissions.value for role in guild.roles} == {
        role.id: role.permissions for role in server.roles.values()
    }
    add_thread(parlour)
    dispatch(parlour, "CHANNEL_CREATE", world.add_channel(server, "new").payload())
    parlour.here.set_overwrite(Overwrite(server.id, OverwriteKind.ROLE))
    dispatch(parlour, "THREAD_LIST_SYNC", {"threads": [add_thread(parlour).payload()], "members": []})
    world.remove_channel(world.channels[-1])
    server.add_role(Role(PLAYERS, "Players", Permissions.MANAGE_MESSAGES, is_mentionable=True), world.bot)
    for event in ("GUILD_ROLE_CREATE", "GUILD_ROLE_UPDATE"):
        dispatch(parlour, event, {"role": server.roles[PLAYERS].payload()})
    dispatch(parlour, "GUILD_UPDATE", {**server.payload(), **UNUSED, "name": "Renamed"})
    await wait_until(lambda: guild.name == "Renamed")
    require_nothing_unused(guild)
    role = guild.get_role(PLAYERS)
    assert role is not None
    assert role.permissions == discord.Permissions(manage_messages=True)
    assert role.mentionable
    dispatch(parlour, "GUILD_ROLE_DELETE", {"role_id": str(PLAYERS)})
    await wait_until(lambda: guild.get_role(PLAYERS) is None)


async def test_a_server_that_was_out_of_order_or_comes_with_a_new_session_is_as_it_is_then(parlour: Parlour) -> None:
    world, guild = parlour.sandbox.world, guild_of(parlour)
    dispatch(parlour, "GUILD_DELETE", {"id": str(world.server.id), "unavailable": True})
    await wait_until(lambda: guild.unavailable)
    assert parlour.client.get_guild(guild.id) is guild, "it has not been left"
    world.server.add_role(Role(PLAYERS, "Players"), world.bot)
    dispatch(parlour, "GUILD_CREATE", {**guild_payload(world, world.server), **UNUSED, "name": "Back"})
    await wait_until(lambda: guild.name == "Back")
    assert not guild.unavailable
    assert [role.id for role in guild.me.roles] == [guild.id, PLAYERS]
    require_nothing_unused(guild)

    parlour.sandbox.gateway.invalidate_sessions()
    await wait_until(lambda: guild_of(parlour) is not guild and bool(guild_of(parlour).roles))
    assert guild_of(parlour).name == world.server.name
    require_nothing_unused(guild_of(parlour))


async def test_channels_and_their_permissions_are_looked_up_as_they_are_now(parlour: Parlour) -> None:
    server = parlour.sandbox.world.server
    parlour.elsewhere.set_overwrite(Overwrite(server.id, OverwriteKind.ROLE, deny=Permissions.VIEW_CHANNEL))
    parlour.elsewhere.set_overwrite(Overwrite(PLAYERS, OverwriteKind.ROLE, allow=Permissions.VIEW_CHANNEL))
    await parlour.robin.slash(parlour.here, "settings channels", add=parlour.elsewhere.id)
    told = await parlour.wren.slash(parlour.here, "magpie new")
    assert f"<#{parlour.elsewhere.id}>" in told.text
    untold = await parlour.linnet.slash(parlour.here, "magpie new")
    assert "can't be played in this channel" in untold.text
    parlour.sandbox.world.remove_channel(parlour.elsewhere)
    assert (await parlour.linnet.slash(parlour.here, "magpie new")).ephemeral, "no chosen channel is left"


async def test_a_table_in_a_thread_needs_no_more_of_it_than_discord_promises(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, promised = Thread.payload, ("id", "type", "guild_id", "parent_id")
    monkeypatch.setattr(Thread, "payload", lambda thread: {key: usual(thread)[key] for key in promised})
    thread = add_thread(parlour)
    thread.join(parlour.robin.id)
    (message,) = (await parlour.robin.slash(thread, "magpie new")).replies
    await parlour.press(parlour.robin, message, "Start with Rusty")
    await parlour.sandbox.until(lambda: shows_moves(message))
