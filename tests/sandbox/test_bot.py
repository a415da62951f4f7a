"""Actions of a discord.py bot reach the people, and theirs reach the bot."""

import asyncio
from typing import Any

import discord
import pytest

from bot.sandbox import Channel, Person, Sandbox, ServerChannel
from bot.sandbox.model.messages import ButtonStyle, Message
from bot.sandbox.model.permissions import MEMBER_PERMISSIONS, Permissions
from tests.sandbox.sample_bot import Clicked, SampleBot


async def greet(person: Person, channel: Channel) -> Message:
    return (await person.slash(channel, "hello")).replies[0]


def text_channel(bot: SampleBot, channel: Channel) -> discord.TextChannel:
    found = bot.get_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    return found


@pytest.mark.usefixtures("bot")
async def test_components_arrive_as_they_were_sent(robin: Person, channel: Channel) -> None:
    message = await greet(robin, channel)
    shown = [(button.label, button.custom_id, button.disabled, button.emoji) for button in message.buttons]
    assert shown == [("More", "more", False, None), ("Off", "off", True, "🎲"), ("Away", None, False, None)]
    assert message.button("Mo").style is ButtonStyle.PRIMARY
    assert message.button("🎲").custom_id == "off"
    assert message.button("Away").url == "https://example.org/"
    (menu,) = message.selects
    assert (menu.custom_id, menu.placeholder, menu.min_values, menu.max_values) == ("hue", "Colours", 1, 2)
    with pytest.raises(LookupError, match="'More', 'Off', 'Away'"):
        message.button("Less")


async def test_only_its_reader_can_use_an_ephemeral_message(bot: SampleBot, robin: Person, channel: Channel) -> None:
    (message,) = (await robin.slash(channel, "whisper")).replies

    async def edit(interaction: Clicked) -> None:
        assert interaction.message is not None
        assert interaction.message.flags.ephemeral
        await interaction.response.edit_message(content="psst again")

    bot.handlers["more"] = edit
    await robin.click(message, "more")
    assert message.content == "psst again"
    with pytest.raises(discord.NotFound) as caught:
        await text_channel(bot, channel).fetch_message(message.id)
    assert caught.value.code == 10008
    assert [each async for each in text_channel(bot, channel).history()] == []


async def test_history_is_read_in_all_directions(bot: SampleBot, wren: Person, channel: Channel) -> None:
    place = text_channel(bot, channel)
    said = [wren.say(channel, str(number)) for number in range(6)]
    middle = discord.Object(said[3].id)

    async def history(**wanted: Any) -> str:
        return "".join([message.content async for message in place.history(**wanted)])

    assert await history(limit=2) == "54"
    assert await history(before=middle, limit=2) == "21"
    assert await history(after=middle, limit=10) == "45"
    assert await history(around=middle, limit=3) == "432"


async def test_a_bot_with_the_intent_receives_messages(pointed: Sandbox, channel: Channel) -> None:
    intents = discord.Intents(guilds=True, guild_messages=True)
    async with SampleBot(intents).run_in(pointed) as bot:
        said = pointed.person("Wren").say(channel, "a secret")
        sent = await text_channel(bot, channel).send("one")
        await sent.edit(content="two")
        await sent.delete()
        await pointed.person("Robin").slash(channel, "whisper")
        async with asyncio.timeout(30):
            heard = [await bot.received.get() for _ in range(4)]
        assert heard == [
            ("create", ""),  # the text of others needs an intent of its own
            ("create", "one"),
            ("update", "two"),
            ("delete", str(sent.id)),
        ]
    assert said.content == "a secret"


async def test_permissions_are_sent_to_the_bot_and_enforced(
    bot: SampleBot, robin: Person, channel: ServerChannel
) -> None:
    place = text_channel(bot, channel)
    channel.bot_permissions = MEMBER_PERMISSIONS & ~Permissions.SEND_MESSAGES
    await bot.wait_for("guild_channel_update", timeout=30)
    assert not place.permissions_for(place.guild.me).send_messages
    with pytest.raises(discord.Forbidden) as caught:
        await place.send("hello")
    assert caught.value.code == 50013
    seen: list[discord.Permissions] = []

    async def note(interaction: Clicked) -> None:
        seen.append(interaction.app_permissions)
        await interaction.response.defer()

    message = await greet(robin, channel)
    bot.handlers["more"] = note
    await robin.click(message, "more")
    assert not seen[0].send_messages
    assert seen[0].view_channel


async def test_the_bot_reconnects_by_itself(bot: SampleBot, sandbox: Sandbox, robin: Person, channel: Channel) -> None:
    sandbox.gateway.drop_connections()
    await sandbox.until(lambda: not sandbox.bot_online)
    # What happens meanwhile is sent again when the client is back.
    assert (await robin.slash(channel, "hello")).text == "Hello, world!"
    assert (bot.resumes, bot.identifies) == (1, 1)


async def test_the_bot_follows_a_request_to_reconnect(
    bot: SampleBot, sandbox: Sandbox, robin: Person, channel: Channel
) -> None:
    sandbox.gateway.ask_to_reconnect()
    await sandbox.until(lambda: not sandbox.bot_online)
    await sandbox.until(lambda: sandbox.bot_online)
    assert (await robin.slash(channel, "hello")).text == "Hello, world!"
    assert bot.identifies == 1


async def test_the_bot_identifies_again_after_an_invalid_session(
    bot: SampleBot, sandbox: Sandbox, robin: Person, channel: Channel
) -> None:
    sandbox.gateway.invalidate_sessions()
    await sandbox.until(lambda: not sandbox.bot_online)
    await sandbox.until(lambda: sandbox.bot_online)
    assert (await robin.slash(channel, "hello")).text == "Hello, world!"
    assert (bot.resumes, bot.identifies) == (0, 2)


async def test_a_wrong_token_is_refused(pointed: Sandbox) -> None:
    client = discord.Client(intents=discord.Intents.none())
    with pytest.raises(discord.LoginFailure):
        await client.start("something.else.entirely")
    await client.close()
    assert not pointed.bot_online
