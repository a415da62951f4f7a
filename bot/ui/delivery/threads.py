"""Threads for tables: what they need, and opening them."""

import asyncio
from typing import Final

import discord

from bot.ui.delivery.http import reading
from bot.words import gettext as _

_ARCHIVE_MINUTES: Final = 10080
"""A week, Discord's longest time: a turn may take days."""

_REQUEST_SECONDS: Final = 10.0


def missing_for_threads(given: discord.Permissions) -> list[str]:
    """Return the names of the permissions that a thread for a table needs and that are not given."""
    needed = (
        (_("Create Public Threads"), given.create_public_threads),
        (_("Send Messages in Threads"), given.send_messages_in_threads),
    )
    return [name for name, has in needed if not has]


async def create_thread(channel: discord.TextChannel, name: str) -> discord.Thread:
    """Open a public thread; network errors and TimeoutError may come out of it."""
    with reading():
        async with asyncio.timeout(_REQUEST_SECONDS):
            return await channel.create_thread(
                name=name, type=discord.ChannelType.public_thread, auto_archive_duration=_ARCHIVE_MINUTES
            )
