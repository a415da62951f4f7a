"""The channels of a server, requested from Discord because the bot does not keep them in memory."""

import asyncio
import logging
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Final

import discord
from discord.abc import GuildChannel

from bot.platform.discord.http import NETWORK_ERRORS, is_retryable, reading
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)

_REQUEST_SECONDS: Final = 10.0
_MOST_ARCHIVED: Final = 20
"""The most threads that are requested one by one."""

# InvalidData: Discord has introduced a new type of channel.
_FAULTS: Final = (*NETWORK_ERRORS, discord.InvalidData, TimeoutError)


async def fetch_channels(guild: discord.Guild | None) -> Sequence[GuildChannel] | None:
    """Return the channels of a server, without threads; None outside a server or if the request fails."""
    if guild is None:
        return None
    try:
        async with asyncio.timeout(_REQUEST_SECONDS):
            with reading():
                return await guild.fetch_channels()
    except _FAULTS as fault:
        log.info("the channels of a server are not known for now: %s", fault)
        return None


def existing_channels(channels: Sequence[GuildChannel] | None, ids: Iterable[int]) -> frozenset[int]:
    """Return the ids that belong to channels of a server; all ids if the channels are unknown."""
    return frozenset(ids) if channels is None else frozenset(ids) & {each.id for each in channels}


async def readable_channels(
    interaction: discord.Interaction[Any], perhaps_archived: Collection[int] = ()
) -> frozenset[int]:
    """Return the channels of the server that the user may read, including this one; if unknown, only this one.

    Of threads, only active ones in readable channels are included, and private ones only if the user manages threads.

    Args:
        interaction: The interaction of the user.
        perhaps_archived: Ids that are looked up as threads if they belong to no channel and no active thread.
    """
    guild, member = interaction.guild, interaction.user
    this_channel = {interaction.channel_id} if interaction.channel_id is not None else set()
    if guild is None or not isinstance(member, discord.Member):
        return frozenset(this_channel)
    channels, threads = await asyncio.gather(fetch_channels(guild), fetch_threads(guild))
    readable = {each.id: each for each in channels or () if may_read(member, each)}
    if readable:
        known = this_channel | {each.id for each in channels or ()} | {thread.id for thread in threads}
        threads = [*threads, *await _fetch_each_thread(guild, set(perhaps_archived) - known)]

    def may_read_thread(thread: discord.Thread) -> bool:
        parent = readable.get(thread.parent_id)
        return parent is not None and not (thread.is_private() and not parent.permissions_for(member).manage_threads)

    return frozenset(this_channel | readable.keys() | {thread.id for thread in threads if may_read_thread(thread)})


async def readable_among(interaction: discord.Interaction[Any], channels: Collection[int]) -> frozenset[int]:
    """Return the given channels that the user may read; ask Discord only about channels other than this one."""
    wanted = frozenset(channels)
    return wanted if wanted <= {interaction.channel_id} else wanted & await readable_channels(interaction, wanted)


def may_read(member: discord.Member, channel: GuildChannel) -> bool:
    """Return whether a member may read a channel."""
    return channel.permissions_for(member).read_messages


def all_may_read(channel: GuildChannel, readers_of: GuildChannel) -> bool:
    """Return whether everyone who can read one channel of a server can also read another.

    Members are unknown, so this compares roles and the permissions of single members. Bots and roles of moderators
    don't count. Who is kept out of the one channel by a permission of its own must be kept out of the other, too.
    """
    server = channel.guild
    for role in server.roles:
        given = readers_of.permissions_for(role)
        is_reader = given.read_messages and not given.manage_messages and not role.is_bot_managed()
        if is_reader and not channel.permissions_for(role).read_messages:
            return False
    bots = {server.me.id} | {role.tags.bot_id for role in server.roles if role.tags is not None}
    uncounted = {role.id for role in server.roles if role.is_default() or role.is_bot_managed()} | bots
    if not _with_overwrite(channel, is_let_in=False) - uncounted <= _with_overwrite(readers_of, is_let_in=False):
        return False
    people = _with_overwrite(readers_of, is_let_in=True) - {role.id for role in server.roles} - bots
    return channel.permissions_for(server.default_role).read_messages or people <= _with_overwrite(
        channel, is_let_in=True
    )


def _with_overwrite(channel: GuildChannel, *, is_let_in: bool) -> set[int]:
    """Return the ids of the roles and members that a permission of the channel lets in, or keeps out."""
    return {target.id for target, overwrite in channel.overwrites.items() if overwrite.view_channel is is_let_in}


async def fetch_threads(guild: discord.Guild) -> Sequence[discord.Thread]:
    """Return the active threads of a server; empty if the request fails."""
    try:
        async with asyncio.timeout(_REQUEST_SECONDS):
            with reading():
                return await guild.active_threads()
    except _FAULTS as fault:
        log.info("the threads of a server are not known for now: %s", fault)
        return ()


async def threads_here(interaction: discord.Interaction[Any], ids: Collection[int]) -> frozenset[int]:
    """Return which of some ids are those of threads of this channel, private and archived ones included."""
    found = () if interaction.guild is None else await _fetch_each_thread(interaction.guild, ids)
    return frozenset(each.id for each in found if each.parent_id == interaction.channel_id)


async def _fetch_each_thread(guild: discord.Guild, ids: Collection[int]) -> Sequence[discord.Thread]:
    """Return the threads with some ids, active or not, those of the newest ids if there are many."""
    newest = sorted(ids, reverse=True)[:_MOST_ARCHIVED]
    found = await asyncio.gather(*(_fetch_thread(guild, each) for each in newest))
    return [each for each in found if each is not None]


async def _fetch_thread(guild: discord.Guild, thread_id: int) -> discord.Thread | None:
    """Return a thread of a server, active or not; None if there is no such thread or the request fails."""
    try:
        async with asyncio.timeout(_REQUEST_SECONDS):
            with reading():
                found = await guild.fetch_channel(thread_id)
    except _FAULTS as fault:
        log.info("thread %s is not known for now: %s", thread_id, fault)
        return None
    return found if isinstance(found, discord.Thread) else None


CHANNELS_WITH_THREADS: Final = (discord.ChannelType.text, discord.ChannelType.news)
"""The channels in which the bot opens threads."""

_TOO_MANY_THREADS: Final = (160006, 160007)
"""Discord's error codes for too many active threads, in the server and in announcement channels."""

_ARCHIVE_MINUTES: Final = 10080
"""A week, the longest time that Discord allows, because a turn may take days."""


class ThreadRefused(Exception):
    """Discord does not let the bot open a thread, now or soon; the message is an untranslated sentence."""


def missing_for_threads(given: discord.Permissions, *, is_private: bool = False) -> list[str]:
    """Return the names of missing permissions that a thread for a table, perhaps a private one, needs."""
    needed = (
        (_("Create Private Threads"), given.create_private_threads)
        if is_private
        else (_("Create Public Threads"), given.create_public_threads),
        (_("Send Messages in Threads"), given.send_messages_in_threads),
    )
    return [name for name, has in needed if not has]


def missing_for_own_threads(given: discord.Permissions, kind: object, *, opens_private: bool) -> list[str]:
    """Return the names of missing permissions that a thread for each table in a channel needs.

    Args:
        given: The permissions of the bot.
        kind: The type of the channel; only text channels have private threads.
        opens_private: Whether games of one person get a private thread.
    """
    missing = missing_for_threads(given) if kind in CHANNELS_WITH_THREADS else []
    if opens_private and kind is discord.ChannelType.text:
        missing += missing_for_threads(given, is_private=True)
    return list(dict.fromkeys(missing))


def missing_for_tables(
    given: discord.Permissions, kind: discord.ChannelType, *, opens_threads: bool, opens_private_threads: bool
) -> list[str]:
    """Return the names of missing permissions that tables in a channel need, with pictures.

    Args:
        given: The permissions of the bot.
        kind: The type of the channel; forums have only threads.
        opens_threads: Whether tables get a thread of their own.
        opens_private_threads: Whether games of one person get a private thread.
    """
    is_forum = kind is discord.ChannelType.forum
    needed = (
        (_("View Channel"), given.view_channel),
        (_("Send Messages"), given.send_messages or is_forum),
        (_("Send Messages in Threads"), given.send_messages_in_threads or not is_forum),
        (_("Embed Links"), given.embed_links),
        (_("Attach Files"), given.attach_files),
    )
    missing = [name for name, has in needed if not has]
    if opens_threads:
        missing += missing_for_own_threads(given, kind, opens_private=opens_private_threads)
    return list(dict.fromkeys(missing))


def missing_for_posts(given: discord.Permissions) -> list[str]:
    """Return the names of missing permissions that a message without a table needs."""
    needed = (
        (_("View Channel"), given.view_channel),
        (_("Send Messages"), given.send_messages),
        (_("Embed Links"), given.embed_links),
    )
    return [name for name, has in needed if not has]


MAX_THREAD_NAME: Final = 100
"""The most characters of a thread's name."""


async def edit_thread(client: discord.Client, thread_id: int, **changes: Any) -> None:
    """Rename or archive a thread; network errors pass through."""
    with reading():
        async with asyncio.timeout(_REQUEST_SECONDS):
            await client.http.edit_channel(thread_id, **changes)


def may_create_private_threads(given: discord.Permissions, kind: object) -> bool:
    """Return whether the bot may open private threads, which only text channels have, and write in them."""
    return kind is discord.ChannelType.text and not missing_for_threads(given, is_private=True)


async def create_thread(channel: discord.TextChannel, name: str, *, is_private: bool = False) -> discord.Thread:
    """Open a thread; network errors pass through.

    Raises:
        ThreadRefused: Discord refuses the thread.
    """
    is_announcement = channel.type is discord.ChannelType.news
    kind = discord.ChannelType.news_thread if is_announcement else discord.ChannelType.public_thread
    if is_private:
        kind = discord.ChannelType.private_thread
    try:
        with reading():
            async with asyncio.timeout(_REQUEST_SECONDS):
                return await channel.create_thread(name=name, type=kind, auto_archive_duration=_ARCHIVE_MINUTES)
    except discord.HTTPException as fault:
        if is_retryable(fault):
            raise
        log.info("Discord refuses a thread in channel %s: %s", channel.id, fault)
        if fault.code in _TOO_MANY_THREADS:
            raise ThreadRefused(N_("This server has as many active threads as Discord allows.")) from fault
        raise ThreadRefused(N_("Discord doesn't let me open a thread here.")) from fault
