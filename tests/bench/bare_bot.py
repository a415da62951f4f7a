"""The least a bot can do: discord.py, and one listener that answers every click with an embed and buttons.

With a named file each answer carries it, as a picture in the embed.

Run as a process: `python -m tests.bench.bare_bot ORDER FILE`; the order is JSON with the address, the token and what
the answers look like.
"""

import asyncio
import io
import json
import signal
import sys
from pathlib import Path
from typing import Any

import discord
from discord.ext import commands

from bot.platform.discord.run import set_api_url

Json = dict[str, Any]


class BareBot(commands.AutoShardedBot):
    """Answers clicks with a constant message, except for the step in its ids."""

    def __init__(self, embed: Json, rows: list[list[Json]], file: bytes | None) -> None:
        super().__init__(
            commands.when_mentioned,
            help_command=None,
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
        )
        self._embed = embed
        self._rows = rows
        self._file = file

    async def on_interaction(self, click: discord.Interaction[Any]) -> None:
        """Answer a click."""
        if click.type is discord.InteractionType.component and click.data is not None:
            kind, table, step, *_ = str(click.data.get("custom_id")).split(":")
            ids = f"{kind}:{table}:{int(step) + 1}"
            if self._file is None:
                await click.response.edit_message(embed=self._next_embed(), view=self._view(ids))
            else:
                file = discord.File(io.BytesIO(self._file), "table.png", description="A table.")
                embed = self._next_embed().set_image(url="attachment://table.png")
                await click.response.edit_message(embed=embed, view=self._view(ids), attachments=[file])

    def _next_embed(self) -> discord.Embed:
        shown = self._embed
        embed = discord.Embed(title=shown["title"], description=shown["description"], colour=shown["color"])
        for field in shown["fields"]:
            embed.add_field(name=field["name"], value=field["value"], inline=field["inline"])
        return embed.set_footer(text=shown["footer"]["text"])

    def _view(self, ids: str) -> discord.ui.View:
        view = discord.ui.View(timeout=None)
        for at, row in enumerate(self._rows):
            for button in row:
                view.add_item(
                    discord.ui.Button(
                        label=button["label"],
                        custom_id=f"{ids}:{button['key']}",
                        style=discord.ButtonStyle(button["style"]),
                        row=at,
                    )
                )
        view.stop()
        return view


async def main(order: Json, file: bytes | None) -> None:
    """Serve until a signal."""
    set_api_url(order["api_url"])
    bot = BareBot(order["embed"], order["rows"], file)
    running = asyncio.create_task(bot.start(order["token"]))
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, running.cancel)
    try:
        await running
    except asyncio.CancelledError:
        await bot.close()


if __name__ == "__main__":
    asyncio.run(main(json.loads(sys.argv[1]), Path(sys.argv[2]).read_bytes() if sys.argv[2] else None))
