"""Actions of a discord.py bot reach the people, and theirs reach the bot."""

import asyncio
from typing import Any

import aiohttp
import discord
import pytest

from bot.sandbox import Channel, Person, Sandbox, ServerChannel
from bot.sandbox.model.interactions import CallbackType, InteractionState
from bot.sandbox.model.messages import ButtonStyle, Message
from bot.sandbox.model.permissions import MEMBER_PERMISSIONS, Permissions
from tests.sandbox.sample_bot import PNG, Clicked, SampleBot, picture_parts


async def greet(person: Person, channel: Channel) -> Message:
    return (await person.slash(channel, "hello")).replies[0]


def text_channel(bot: SampleBot, channel: Channel) -> discord.TextChannel:
    found = bot.get_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    return found


async def test_the_bot_meets_its_server(bot: SampleBot, sandbox: Sandbox) -> None:
    assert sandbox.bot_online
    assert bot.user is not None
    assert bot.user.name == "Parlour"
    assert bot.shard_count == 1
    (guild,) = bot.guilds
    assert guild.name == "Parlour Sandbox"
    assert [channel.name for channel in guild.text_channels] == ["table-one", "table-two", "lounge"]
    assert guild.me.id == bot.user.id
    assert guild.owner_id == sandbox.person("Robin").id
    assert (await bot.application_info()).name == "Parlour"


@pytest.mark.usefixtures("bot")
async def test_a_command_is_answered(robin: Person, channel: Channel) -> None:
    used = await robin.slash(channel, "hello", name="Wren")
    assert used.state is InteractionState.RESPONDED
    assert used.callback_type is CallbackType.MESSAGE
    assert used.text == "Hello, Wren!"
    assert not used.ephemeral
    assert channel.messages == list(used.replies)
    (message,) = used.replies
    assert message.author.name == "Parlour"
    assert message.payload()["interaction_metadata"]["name"] == "hello"
    assert message.payload()["interaction_metadata"]["user"]["global_name"] == "Robin"


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


async def test_a_click_edits_its_message(bot: SampleBot, wren: Person, channel: Channel) -> None:
    message = await greet(wren, channel)

    async def edit(interaction: Clicked) -> None:
        assert interaction.message is not None
        assert interaction.message.content == "Hello, world!"
        assert interaction.permissions.value == MEMBER_PERMISSIONS
        assert interaction.app_permissions.value == MEMBER_PERMISSIONS
        await interaction.response.edit_message(content=f"{interaction.user.display_name} was here", view=None)

    bot.handlers["more"] = edit
    clicked = await wren.click(message, "more")
    assert clicked.callback_type is CallbackType.UPDATE
    assert (message.content, message.buttons, message.edited) == ("Wren was here", [], True)
    assert clicked.replies == ()
    assert channel.messages == [message]


async def test_a_click_is_acknowledged_and_edited_later(
    bot: SampleBot, sandbox: Sandbox, robin: Person, channel: Channel
) -> None:
    message = await greet(robin, channel)

    async def acknowledge(interaction: Clicked) -> None:
        await interaction.response.defer()
        original = await interaction.original_response()
        assert original.id == message.id
        await interaction.edit_original_response(content="changed")
        await interaction.followup.send("and a word to you", ephemeral=True)

    bot.handlers["more"] = acknowledge
    clicked = await robin.click(message.id, "more")
    assert clicked.callback_type is CallbackType.DEFERRED_UPDATE
    (word,) = await sandbox.until(lambda: clicked.replies)
    assert message.content == "changed"
    assert clicked.ephemeral
    assert (word.ephemeral_to, word.reference) == (robin.id, message)


async def test_a_menu_sends_its_values(bot: SampleBot, robin: Person, channel: Channel) -> None:
    message = await greet(robin, channel)

    async def choose(interaction: Clicked) -> None:
        assert interaction.data is not None
        values = interaction.data.get("values")
        assert isinstance(values, list)
        await interaction.response.send_message(" and ".join(values))

    bot.handlers["hue"] = choose
    chosen = await robin.select(message, "hue", ["green", "red"])
    assert chosen.text == "green and red"
    assert chosen.replies[0].reference is message
    assert chosen.replies[0].payload()["referenced_message"]["id"] == str(message.id)


@pytest.mark.usefixtures("bot")
async def test_subcommands_and_groups_are_called(robin: Person, sandbox: Sandbox) -> None:
    lounge = sandbox.channel("#lounge")
    rolled = await robin.slash(lounge, "dice roll", sides=6, who=sandbox.person("Jay"), where=lounge)
    assert rolled.text == "Jay rolls a d6 in lounge"
    assert (await robin.slash(lounge, "/dice odd toss", kind="coin", twice=True)).text == "coin True"
    assert rolled.name == "dice roll"


@pytest.mark.usefixtures("bot")
async def test_choices_are_suggested_while_typing(robin: Person, channel: Channel) -> None:
    offered = await robin.autocomplete(channel, "dice roll", {"sides": "1"}, focused="sides")
    assert [(choice.name, choice.value) for choice in offered] == [("d12", 12), ("d16", 16)]
    assert channel.messages == []


@pytest.mark.usefixtures("bot")
async def test_a_deferred_reply_is_filled_in(robin: Person, channel: Channel) -> None:
    used = await robin.slash(channel, "later")
    assert used.callback_type is CallbackType.DEFERRED_MESSAGE
    (promised,) = used.replies
    await used.wait_for_text()
    assert used.replies == (promised,)
    assert (promised.content, promised.loading, promised.edited) == ("at last", False, False)


@pytest.mark.usefixtures("bot")
async def test_a_private_deferral_stays_private(robin: Person, wren: Person, channel: Channel) -> None:
    used = await (await robin.slash(channel, "hidden")).wait_for_text()
    # The first followup after a deferral is the promised message.
    assert used.text == "for you alone"
    assert len(used.replies) == 1
    assert used.ephemeral
    assert robin.visible_messages(channel) == list(used.replies)
    assert wren.visible_messages(channel) == []


@pytest.mark.usefixtures("bot")
async def test_followups_come_after_the_answer(sandbox: Sandbox, robin: Person, channel: Channel) -> None:
    used = await robin.slash(channel, "two-parts")
    await sandbox.until(lambda: len(used.replies) == 2)
    assert used.text == "one\ntwo"
    assert used.replies[1].reference is used.replies[0]


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


async def test_a_picture_is_replaced(bot: SampleBot, sandbox: Sandbox, robin: Person, channel: Channel) -> None:
    (message,) = (await robin.slash(channel, "picture")).replies
    first = message.attachments[0]

    async def replace(interaction: Clicked) -> None:
        embed, file = picture_parts("two.png")
        await interaction.response.edit_message(embed=embed, attachments=[file])

    bot.handlers["more"] = replace
    await robin.click(message, "more")
    (second,) = message.attachments
    assert (second.filename, second.description, second.content_type) == ("two.png", "a picture", "image/png")
    assert second.content == PNG
    (embed,) = message.embeds
    measured = {"width": 5, "height": 7, "description": "a picture"}
    assert embed["image"] == {"url": second.url, "proxy_url": second.url, **measured}
    assert message.payload()["attachments"] == [], "a file shown by an embed is not listed a second time"
    async with aiohttp.ClientSession() as browser:
        for file in (first, second):
            async with browser.get(file.url) as answer:
                assert (answer.status, answer.content_type) == (200, "image/png")
                assert await answer.read() == PNG
    assert first.url.startswith(f"{sandbox.url}/cdn/")


async def test_files_outside_embeds_are_listed_and_kept(bot: SampleBot, channel: Channel) -> None:
    posted = await text_channel(bot, channel).send("files", files=[picture_parts(n)[1] for n in ("a.png", "b.png")])
    assert [file.filename for file in posted.attachments] == ["a.png", "b.png"]
    edited = await posted.edit(attachments=[posted.attachments[1], picture_parts("c.png")[1]])
    assert [file.filename for file in edited.attachments] == ["b.png", "c.png"]
    assert [file.filename for file in (await edited.edit(content="words")).attachments] == ["b.png", "c.png"]
    assert await edited.attachments[0].read() == PNG
    (message,) = channel.messages
    assert (message.content, len(message.attachments)) == ("words", 2)


async def test_the_bot_works_in_the_channel(bot: SampleBot, wren: Person, channel: Channel) -> None:
    place = text_channel(bot, channel)
    said = wren.say(channel, f"hello <@{wren.id}>")
    found = await place.fetch_message(said.id)
    assert found.author.display_name == "Wren"
    assert [user.display_name for user in found.mentions] == ["Wren"]
    reply = await found.reply("and to you", silent=True)
    assert reply.reference is not None
    assert reply.reference.message_id == said.id
    assert reply.flags.suppress_notifications
    edited = await reply.edit(content="and to you too")
    assert edited.edited_at is not None
    await edited.delete()
    with pytest.raises(discord.Forbidden) as caught:
        await found.delete()
    assert caught.value.code == 50013
    assert channel.messages == [said]


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


async def test_shards_connect_to_the_server(pointed: Sandbox, robin: Person, channel: Channel) -> None:
    bot = SampleBot()
    bot.shard_count = 1
    async with bot.run_in(pointed):
        assert bot.get_guild(pointed.world.server.id) is not None
        (guild,) = bot.guilds
        assert guild.shard_id == 0
        assert (await robin.slash(channel, "hello")).text == "Hello, world!"


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


async def test_a_restarted_bot_finds_messages_and_commands(pointed: Sandbox, robin: Person, channel: Channel) -> None:
    async with SampleBot().run_in(pointed):
        message = await greet(robin, channel)
    await pointed.until(lambda: not pointed.bot_online)
    offline = await robin.click(message, "more")
    assert (offline.state, offline.failure) == (InteractionState.FAILED, "Parlour is offline.")
    ids = [command["id"] for command in pointed.world.commands.slash_commands(pointed.world.server.id)]
    async with SampleBot().run_in(pointed) as bot:
        assert [command["id"] for command in pointed.world.commands.slash_commands(pointed.world.server.id)] == ids

        async def edit(interaction: Clicked) -> None:
            await interaction.response.edit_message(content="still here")

        bot.handlers["more"] = edit
        await robin.click(message, "more")
    assert message.content == "still here"


async def test_two_processes_both_get_an_interaction(
    pointed: Sandbox, robin: Person, channel: Channel, caplog: pytest.LogCaptureFixture
) -> None:
    async with SampleBot().run_in(pointed) as one, SampleBot().run_in(pointed) as two:
        message = await greet(robin, channel)
        refused: asyncio.Queue[int] = asyncio.Queue()

        async def edit(interaction: Clicked) -> None:
            try:
                await interaction.response.edit_message(content="done")
            except discord.HTTPException as error:
                refused.put_nowait(error.code)

        one.handlers["more"] = two.handlers["more"] = edit
        await robin.click(message, "more")
        async with asyncio.timeout(30):
            assert await refused.get() == 40060
    # discord.py logs that the slower one's first greeting was refused.
    caplog.clear()


async def test_a_wrong_token_is_refused(pointed: Sandbox) -> None:
    client = discord.Client(intents=discord.Intents.none())
    with pytest.raises(discord.LoginFailure):
        await client.start("something.else.entirely")
    await client.close()
    assert not pointed.bot_online
