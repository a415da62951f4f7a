"""Threads for tables: what they need, and opening them."""

import asyncio
import logging
from typing import Final

import discord

from bot.platform.discord.http import is_retryable, reading
from bot.words import gettext as _

log = logging.getLogger(__name__)

CHANNELS_WITH_THREADS: Final = (discord.ChannelType.text, discord.ChannelType.news)
"""The channels in which tables and games of tournaments get threads."""

_TOO_MANY_THREADS: Final = (160006, 160007)
"""Discord's error codes for too many active threads, and too many in announcement channels."""

_ARCHIVE_MINUTES: Final = 10080
"""A week, Discord's longest time: a turn may take days."""

_REQUEST_SECONDS: Final = 10.0


class ThreadRefused(Exception):
    """Discord does not let the bot open a thread, and will not do so soon; the message says why, in a sentence."""


def missing_for_threads(given: discord.Permissions) -> list[str]:
    """Return the names of the permissions that a thread for a table needs and that are not given."""
    needed = (
        (_("Create Public Threads"), given.create_public_threads),
        (_("Send Messages in Threads"), given.send_messages_in_threads),
    )
    return [name for name, has in needed if not has]


async def create_thread(channel: discord.TextChannel, name: str) -> discord.Thread:
    """Open a public thread; network errors may come out of it.

    Raises:
        ThreadRefused: Discord refuses it.
    """
    is_announcement = channel.type is discord.ChannelType.news
    kind = discord.ChannelType.news_thread if is_announcement else discord.ChannelType.public_thread
    try:
        with reading():
            async with asyncio.timeout(_REQUEST_SECONDS):
                return await channel.create_thread(name=name, type=kind, auto_archive_duration=_ARCHIVE_MINUTES)
    except discord.HTTPException as fault:
        if is_retryable(fault):
            raise
        log.info("Discord refuses a thread in channel %s: %s", channel.id, fault)
        raise ThreadRefused(_describe(fault)) from fault


def _describe(refusal: discord.HTTPException) -> str:
    """Return in a sentence why there can't be a thread."""
    if refusal.code in _TOO_MANY_THREADS:
        return _("This server has as many active threads as Discord allows.")
    return _("Discord doesn't let me open a thread here.")
