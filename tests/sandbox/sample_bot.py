"""A small discord.py bot with some commands and one of each component."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

import discord
from discord import app_commands
from discord.ext import commands

from bot.sandbox import Sandbox


class SampleBot(commands.AutoShardedBot):
    """Answers slash commands."""

    def __init__(self) -> None:
        super().__init__(commands.when_mentioned, intents=discord.Intents(guilds=True), guild_ready_timeout=0.02)

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
        every: tuple[Any, ...] = (hello, whisper, Dice())
        for command in every:
            self.tree.add_command(command)
        await self.tree.sync()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Do nothing: the library's own hook waits five seconds between introductions."""


Clicked: TypeAlias = discord.Interaction[SampleBot]


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


@app_commands.command()
async def hello(interaction: Clicked, name: str = "world") -> None:
    """Greet, with controls below."""
    await interaction.response.send_message(f"Hello, {name}!", view=controls())


@app_commands.command()
async def whisper(interaction: Clicked) -> None:
    """Answer one reader."""
    await interaction.response.send_message("psst", ephemeral=True, view=controls())


class Dice(app_commands.Group):
    """Dice of all kinds."""

    @app_commands.command()
    @app_commands.describe(sides="How many sides")
    async def roll(self, interaction: Clicked, sides: app_commands.Range[int, 2, 100]) -> None:
        """Roll a die."""
        await interaction.response.send_message(f"{interaction.user.display_name} rolls a d{sides}")
