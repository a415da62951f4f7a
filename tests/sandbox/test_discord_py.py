"""What a bot of discord.py posts, asks and reads is what was meant."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.sandbox import Person, ServerChannel
from bot.sandbox.model.messages import ButtonStyle
from tests.sandbox.sample_bot import SampleBot


@pytest.mark.usefixtures("bot")
async def test_components_arrive_as_they_were_sent(robin: Person, channel: ServerChannel) -> None:
    (message,) = (await robin.slash(channel, "hello")).replies
    shown = [(button.label, button.custom_id, button.disabled, button.emoji) for button in message.buttons]
    assert shown == [("More", "more", False, None), ("Off", "off", True, "🎲"), ("Away", None, False, None)]
    assert message.button("Mo").style is ButtonStyle.PRIMARY
    assert message.button("🎲").custom_id == "off"
    assert message.button("Away").url == "https://example.org/"
    (menu,) = message.selects
    assert (menu.custom_id, menu.placeholder, menu.min_values, menu.max_values) == ("hue", "Colours", 1, 2)
    with pytest.raises(LookupError, match="'More', 'Off', 'Away'"):
        message.button("Less")


async def test_history_is_read_in_all_directions(bot: SampleBot, wren: Person, channel: ServerChannel) -> None:
    place = bot.get_channel(channel.id)
    assert isinstance(place, discord.TextChannel)
    said = [wren.say(channel, str(number)) for number in range(6)]
    middle = discord.Object(said[3].id)

    async def history(**wanted: Any) -> str:
        return "".join([message.content async for message in place.history(**wanted)])

    assert await history(limit=2) == "54"
    assert await history(before=middle, limit=2) == "21"
    assert await history(after=middle, limit=10) == "45"
    assert await history(around=middle, limit=3) == "432"
