"""What the client hands on of Discord's events instead of keeping it, and how it resolves host names."""

import socket
from typing import Any

import pytest
from discord import ChannelType

from bot.platform.discord.connection_state import CHANNEL_DELETED, Resolver, TrimmedConnectionState
from tests.support.each_case import each_case

GUILD_ID, CHANNEL_ID = 7, 70


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
def test_a_deleted_channel_names_its_server_if_it_may_have_had_threads(kind: ChannelType, guild_id: int | None) -> None:
    handed_on: list[Any] = []
    state = TrimmedConnectionState.__new__(TrimmedConnectionState)
    state.dispatch = lambda *event: handed_on.append(event)
    state.parse_channel_delete({"id": str(CHANNEL_ID), "guild_id": str(GUILD_ID), "type": kind.value})
    assert handed_on == [(CHANNEL_DELETED, CHANNEL_ID, guild_id)]


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
