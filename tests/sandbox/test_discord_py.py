"""Menus and forms through discord.py: what it reads is what was meant."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.sandbox import Person, Sandbox, ServerChannel
from bot.sandbox.model.messages import Message
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
