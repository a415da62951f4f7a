"""What the client hands on of Discord's events instead of keeping it."""

from typing import Any

from discord import ChannelType

from bot.platform.discord.connection_state import CHANNEL_DELETED, TrimmedConnectionState
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
