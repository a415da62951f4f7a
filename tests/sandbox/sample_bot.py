"""A small discord.py bot with one of each component and command."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.sandbox import Sandbox

PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x05\x00\x00\x00\x07\x08\x06\x00\x00\x00"
"""The start of a picture file, which states its size: 5 x 7."""


class SampleBot(commands.AutoShardedBot):
    """Answers slash commands, and components as a test has set for their ids."""

    def __init__(self, intents: discord.Intents | None = None) -> None:
        intents = intents or discord.Intents(guilds=True)
        super().__init__(commands.when_mentioned, intents=intents, guild_ready_timeout=0.02)
        self.handlers: dict[str, ComponentHandler] = {}
        self.received: asyncio.Queue[tuple[str, str]] = asyncio.Queue()
        self.resumes = 0
        self.identifies = 0

    @asynccontextmanager
    async def run_in(self, sandbox: Sandbox) -> AsyncIterator[SampleBot]:
        """Run until the block ends."""
        task = asyncio.create_task(self.start(sandbox.token))
        ready = asyncio.create_task(self._is_ready())
        try:
            await asyncio.wait({task, ready}, timeout=30, return_when=asyncio.FIRST_COMPLETED)
            assert ready.done(), task
            yield self
        finally:
            ready.cancel()
            await self.close()
            await asyncio.wait({task}, timeout=30)

    async def _is_ready(self) -> None:
        await asyncio.sleep(0)
        await self.wait_until_ready()

    async def setup_hook(self) -> None:
        every: tuple[Any, ...] = (hello, later, hidden, whisper, two_parts, picture, aloud, aside, Dice())
        for command in every:
            self.tree.add_command(command)
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        # The library's own hook waits five seconds between introductions.
        self.identifies += 1

    async def on_shard_resumed(self, shard_id: int) -> None:
        self.resumes += 1

    async def on_message(self, message: discord.Message) -> None:
        self.received.put_nowait(("create", message.content))

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        self.received.put_nowait(("update", event.message.content))

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        self.received.put_nowait(("delete", str(event.message_id)))

    async def on_interaction(self, interaction: discord.Interaction[SampleBot]) -> None:
        if interaction.type is discord.InteractionType.component and interaction.data is not None:
            await self.handlers[str(interaction.data.get("custom_id"))](interaction)


Clicked: TypeAlias = discord.Interaction[SampleBot]
ComponentHandler: TypeAlias = Callable[[Clicked], Awaitable[Any]]


def controls() -> discord.ui.View:
    """One of each component."""
    view = discord.ui.View(timeout=None)
    view.add_item(discord.ui.Button(label="More", custom_id="more", style=discord.ButtonStyle.primary))
    view.add_item(discord.ui.Button(label="Off", custom_id="off", disabled=True, emoji="🎲"))
    view.add_item(discord.ui.Button(label="Away", url="https://example.org/"))
    options = [discord.SelectOption(label=name.title(), value=name) for name in ("red", "green", "blue")]
    menu: discord.ui.Select[discord.ui.View] = discord.ui.Select(
        custom_id="hue", placeholder="Colours", options=options, max_values=2
    )
    view.add_item(menu)
    # The library must not dispatch the clicks: the tests do.
    view.stop()
    return view


def picture_parts(name: str) -> tuple[discord.Embed, discord.File]:
    """An embed that shows a file, and the file."""
    embed = discord.Embed(title="Look").set_image(url=f"attachment://{name}")
    return embed, discord.File(io.BytesIO(PNG), filename=name, description="a picture")


@app_commands.command()
async def hello(interaction: Clicked, name: str = "world") -> None:
    """Greet, with controls below."""
    await interaction.response.send_message(f"Hello, {name}!", view=controls())


@app_commands.command()
async def later(interaction: Clicked) -> None:
    """Answer after a while."""
    await interaction.response.defer(thinking=True)
    await interaction.edit_original_response(content="at last")


@app_commands.command()
async def hidden(interaction: Clicked) -> None:
    """Answer one reader after a while."""
    await interaction.response.defer(thinking=True, ephemeral=True)
    await interaction.followup.send("for you alone")


@app_commands.command()
async def whisper(interaction: Clicked) -> None:
    """Answer one reader."""
    await interaction.response.send_message("psst", ephemeral=True, view=controls())


@app_commands.command(name="two-parts")
async def two_parts(interaction: Clicked) -> None:
    """Answer with a message and a followup."""
    await interaction.response.send_message("one")
    await interaction.followup.send("two")


@app_commands.command()
async def picture(interaction: Clicked) -> None:
    """Show a picture in an embed."""
    embed, file = picture_parts("one.png")
    await interaction.response.send_message(embed=embed, file=file, view=controls())


@app_commands.command()
@app_commands.guild_only()
async def aloud(interaction: Clicked) -> None:
    """Speak to a server."""
    await interaction.response.send_message("hear, hear")


@app_commands.command()
@app_commands.dm_only()
async def aside(interaction: Clicked) -> None:
    """Speak to one person."""
    await interaction.response.send_message("between us")


async def _sides(_: Clicked, current: str) -> list[app_commands.Choice[int]]:
    return [app_commands.Choice(name=f"d{n}", value=n) for n in (4, 6, 12, 16) if str(n).startswith(current)]


class Dice(app_commands.Group):
    """Dice of all kinds."""

    odd = app_commands.Group(name="odd", description="Odd dice.")

    @app_commands.command()
    @app_commands.describe(sides="How many sides")
    @app_commands.autocomplete(sides=_sides)
    async def roll(
        self,
        interaction: Clicked,
        sides: app_commands.Range[int, 2, 100],
        who: discord.Member | None = None,
        where: discord.TextChannel | None = None,
    ) -> None:
        """Roll a die."""
        name = who.display_name if who else interaction.user.display_name
        await interaction.response.send_message(f"{name} rolls a d{sides} in {where}")

    @odd.command()
    @app_commands.choices(kind=[app_commands.Choice(name=kind, value=kind) for kind in ("coin", "spinner")])
    async def toss(self, interaction: Clicked, kind: app_commands.Choice[str], *, twice: bool = False) -> None:
        """Toss something that is no cube."""
        await interaction.response.send_message(f"{kind.value} {twice}")
