"""What the client hands on of Discord's events instead of keeping it, and how it resolves host names."""

import socket
from datetime import timedelta
from typing import Any

import pytest
from discord import ChannelType
from discord.state import AutoShardedConnectionState
from discord.utils import utcnow

from bot.platform.discord.connection_state import (
    CHANNEL_DELETED,
    SERVER_ENTERED,
    THREAD_DELETED,
    Resolver,
    TrimmedConnectionState,
)
from tests.support.each_case import each_case

GUILD_ID, CHANNEL_ID, THREAD_ID = 7, 70, 71


@each_case(
    "kind, guild_id",
    [
        (ChannelType.text, GUILD_ID),
        (ChannelType.news, GUILD_ID),
        (ChannelType.forum, GUILD_ID),
        (ChannelType.media, GUILD_ID),
        (ChannelType.voice, None),
        (ChannelType.category, None),
    ],
)
def test_deleted_threads_and_channels_are_reported_with_a_server_that_may_have_lost_threads(
    kind: ChannelType, guild_id: int | None
) -> None:
    handed_on: list[Any] = []
    state = TrimmedConnectionState.__new__(TrimmedConnectionState)
    state.dispatch = lambda *event: handed_on.append(event)
    state.parse_channel_delete({"id": str(CHANNEL_ID), "guild_id": str(GUILD_ID), "type": kind.value})
    state.parse_thread_delete({"id": str(THREAD_ID), "guild_id": str(GUILD_ID)})
    assert handed_on == [(CHANNEL_DELETED, CHANNEL_ID, guild_id), (THREAD_DELETED, THREAD_ID)]


@each_case(
    "hours, channel, told",
    [
        (1, "70", [(SERVER_ENTERED, GUILD_ID, CHANNEL_ID)]),
        (1, None, [(SERVER_ENTERED, GUILD_ID, None)]),
        # At each start, Discord describes all servers.
        (25, "70", []),
        (None, None, []),
    ],
)
def test_a_server_is_entered_for_a_day(
    monkeypatch: pytest.MonkeyPatch, hours: int | None, channel: str | None, told: list[Any]
) -> None:
    handed_on: list[Any] = []
    monkeypatch.setattr(AutoShardedConnectionState, "parse_guild_create", lambda *_: None)
    state = TrimmedConnectionState.__new__(TrimmedConnectionState)
    state.user = None
    state.dispatch = lambda event, id_, _since, system: handed_on.append((event, id_, system))
    joined_at = None if hours is None else (utcnow() - timedelta(hours=hours)).isoformat()
    state.parse_guild_create({"id": str(GUILD_ID), "joined_at": joined_at, "system_channel_id": channel})
    assert handed_on == told


async def test_a_name_is_resolved() -> None:
    found = await Resolver().resolve("localhost", 80)
    assert {(address["host"], address["port"], address["hostname"]) for address in found} == {
        ("127.0.0.1", 80, "localhost")
    }


@pytest.mark.parametrize("fault", [socket.gaierror("unknown"), OSError("out of files"), TimeoutError("slow")])
async def test_a_failed_lookup_raises(monkeypatch: pytest.MonkeyPatch, fault: OSError) -> None:
    def look_up(*_: Any, **__: Any) -> Any:
        raise fault

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    with pytest.raises(OSError, match=str(fault)):
        await Resolver().resolve("localhost", 80)
