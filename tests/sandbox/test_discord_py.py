"""Menus, forms, threads and roles through discord.py: what it reads is what was meant."""

from __future__ import annotations

import asyncio
from typing import Any

import discord
import pytest

from bot.sandbox import ClientRefusal, Person, Sandbox, ServerChannel
from bot.sandbox.model.messages import Message
from bot.sandbox.model.permissions import Overwrite, OverwriteKind, Permissions
from tests.sandbox.sample_bot import Clicked, SampleBot


@pytest.fixture
def place(bot: SampleBot, channel: ServerChannel) -> discord.TextChannel:
    found = bot.get_channel(channel.id)
    assert isinstance(found, discord.TextChannel)
    return found


async def post_and_read(place: discord.TextChannel, channel: ServerChannel, *items: discord.ui.Item[Any]) -> Message:
    """Post a message with components and return it as people see it."""
    view = discord.ui.View(timeout=None)
    for item in items:
        view.add_item(item)
    view.stop()
    await place.send("x", view=view)
    return channel.messages[-1]


async def test_menus_of_every_kind_work(
    bot: SampleBot, sandbox: Sandbox, wren: Person, channel: ServerChannel, place: discord.TextChannel
) -> None:
    read: list[Any] = []

    async def note(interaction: Clicked) -> None:
        data: Any = interaction.data
        read.append((data["component_type"], data["values"], sorted(data["resolved"])))
        await interaction.response.defer()

    message = await post_and_read(
        place,
        channel,
        discord.ui.UserSelect(custom_id="u", max_values=2, default_values=[discord.Object(wren.id, type=discord.User)]),
        discord.ui.RoleSelect(custom_id="r"),
        discord.ui.MentionableSelect(custom_id="m"),
        discord.ui.ChannelSelect(custom_id="c", channel_types=[discord.ChannelType.text]),
    )
    (role,) = sandbox.world.server.roles_of(wren.id)
    choices: list[tuple[str, list[Any]]] = [("u", [wren]), ("r", [role]), ("m", [role]), ("c", [channel])]
    for custom_id, values in choices:
        bot.handlers[custom_id] = note
        await wren.select(message, custom_id, values)
    assert read == [
        (5, [str(wren.id)], ["members", "users"]),
        (6, [str(role)], ["roles"]),
        (7, [str(role)], ["roles"]),
        (8, [str(channel.id)], ["channels"]),
    ]
    assert [len(select.options) for select in message.selects] == [0] * 4


class SampleModal(discord.ui.Modal, title="A form"):
    """Asks for a name and a colour."""

    name: discord.ui.TextInput[SampleModal] = discord.ui.TextInput(label="Name", custom_id="name", min_length=2)
    colour: discord.ui.Label[SampleModal] = discord.ui.Label(
        text="Colour",
        component=discord.ui.Select(custom_id="colour", options=[discord.SelectOption(label=each) for each in "rgb"]),
    )

    def __init__(self) -> None:
        super().__init__()
        self.read: tuple[str, list[str]] | None = None

    async def on_submit(self, interaction: discord.Interaction) -> None:
        assert isinstance(self.colour.component, discord.ui.Select)
        self.read = self.name.value, self.colour.component.values
        await interaction.response.edit_message(content=f"Thanks, {self.name.value}")


async def test_a_form_is_shown_and_submitted(
    bot: SampleBot, wren: Person, channel: ServerChannel, place: discord.TextChannel
) -> None:
    form = SampleModal()

    async def ask(interaction: Clicked) -> None:
        await interaction.response.send_modal(form)

    bot.handlers["ask"] = ask
    message = await post_and_read(place, channel, discord.ui.Button(label="Ask", custom_id="ask"))
    opened = await wren.click(message, "ask")
    assert opened.modal is not None
    assert opened.modal["title"] == "A form"
    await wren.submit(opened, {"name": "Wren", "colour": ["g"]})
    assert (form.read, message.content) == (("Wren", ["g"]), "Thanks, Wren")


async def test_threads_work(
    bot: SampleBot, pointed: Sandbox, wren: Person, channel: ServerChannel, place: discord.TextChannel
) -> None:
    thread = await place.create_thread(name="aside", type=discord.ChannelType.public_thread)
    sent = await thread.send("hello")
    ours = pointed.world.threads[thread.id]
    assert [message.content for message in ours.messages] == ["hello"]
    await thread.edit(archived=True)
    with pytest.raises(discord.HTTPException) as refused:
        await sent.edit(content="late")
    assert refused.value.code == 50083
    await thread.send("awake")
    assert not ours.is_archived
    started = wren.start_thread(channel, "hers")
    found = await wait_for_thread(bot, started.id)
    assert (found.name, found.owner_id, found.parent_id) == ("hers", wren.id, channel.id)
    pointed.world.remove_thread(started)


async def test_a_deleted_channel_is_gone(
    bot: SampleBot, pointed: Sandbox, wren: Person, channel: ServerChannel, place: discord.TextChannel
) -> None:
    said, inside = wren.say(channel, "hello"), wren.start_thread(channel, "aside")
    going = asyncio.create_task(bot.wait_for("guild_channel_delete", timeout=30))
    await asyncio.sleep(0)
    pointed.world.remove_channel(channel)
    assert (await going).id == place.id
    assert (said.deleted, pointed.world.threads) == (True, {})
    with pytest.raises(discord.NotFound) as refused:
        await place.send("late")
    assert refused.value.code == 10003
    for gone in (channel, inside):
        with pytest.raises(ClientRefusal, match="no such channel"):
            wren.say(gone, "late")


async def wait_for_thread(bot: SampleBot, thread_id: int) -> discord.Thread:
    """Return a thread once the bot has received its event."""
    thread = bot.get_channel(thread_id)
    if thread is None:
        thread = await bot.wait_for("thread_create", check=lambda made: made.id == thread_id, timeout=30)
    assert isinstance(thread, discord.Thread)
    return thread


async def test_roles_and_overwrites_are_sent(
    bot: SampleBot, sandbox: Sandbox, wren: Person, channel: ServerChannel, place: discord.TextChannel
) -> None:
    (held,) = sandbox.world.server.roles_of(wren.id)
    role = place.guild.get_role(held)
    assert role is not None
    assert (role.name, place.guild.default_role.permissions.send_messages) == ("Players", True)
    changed = asyncio.create_task(bot.wait_for("guild_channel_update", timeout=30))
    await asyncio.sleep(0)
    channel.set_overwrite(Overwrite(place.guild.id, OverwriteKind.ROLE, deny=Permissions.SEND_MESSAGES))
    await changed
    assert not place.permissions_for(place.guild.me).send_messages
    with pytest.raises(discord.Forbidden) as refused:
        await place.send("x")
    assert refused.value.code == 50013


async def test_closed_direct_messages_raise_forbidden(bot: SampleBot, wren: Person) -> None:
    wren.direct_channel.is_closed = True
    person = await bot.create_dm(discord.Object(wren.id))
    with pytest.raises(discord.Forbidden) as refused:
        await person.send("x")
    assert refused.value.code == 50007
