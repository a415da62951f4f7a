"""Opens new tables in their own threads, in servers that want this."""

import asyncio
import contextlib
import logging
from itertools import count
from typing import Final, cast

import discord
from cachetools import LRUCache

from bot.features.settings.all_settings import CLOCK
from bot.features.settings.service import ServerRules
from bot.platform.database.errors import OutcomeUnknown
from bot.platform.discord.answers import Interaction
from bot.platform.discord.channels import ThreadRefused, create_thread, fetch_threads, missing_for_threads
from bot.platform.discord.context import person_of
from bot.platform.discord.hand_over import acknowledge_first
from bot.platform.discord.http import NETWORK_ERRORS, reading
from bot.platform.observability.trace import set_table
from bot.platform.places import Location
from bot.rules.game import Options
from bot.rules.refusals import Refusal
from bot.tables.model import OpeningLimits, TableId
from bot.tables.opening import open_game, require_room
from bot.tables.refusals import HostReason, Stale
from bot.tables.service import TableService
from bot.tables.table import Table
from bot.words import N_, gettext as _, join_items

log = logging.getLogger(__name__)

_REQUEST_SECONDS: Final = 10.0
_MAX_REMEMBERED: Final = 4096

_NO_THREADS = N_(
    "This server gives each table its own thread, but I lack a permission for that here: **{permissions}**. So the "
    "table is in the channel."
)


class TableThreads:
    """Opens a thread for a table, and the table in it."""

    def __init__(self, service: TableService, rules: ServerRules) -> None:
        self._service = service
        self._rules = rules
        self._opened: LRUCache[tuple[int, int, str], TableId | None] = LRUCache(_MAX_REMEMBERED)
        """The tables opened by buttons, by user, message and game; None while a table is being opened."""

    async def missing_note(self, interaction: Interaction) -> str:
        """Return the permissions that the bot lacks for the threads that the server wants; empty if none."""
        missing = missing_for_threads(interaction.app_permissions)
        if not missing or not await self._rules.wants_threads(interaction):
            return ""
        return _(_NO_THREADS).format(permissions=join_items(missing))

    async def open(
        self, interaction: Interaction, game: str, options: Options, computers: int, level: str = ""
    ) -> Table:
        """Open a thread and a table in it; raise what `open_game` raises.

        Discord takes only one response to an interaction, so the response decides which process opens the thread.

        Raises:
            Stale: Another process handles the interaction, or an earlier click on the same message is in progress.
            ThreadRefused: The table must be in the channel; the interaction is acknowledged.
        """
        key = None if interaction.message is None else (interaction.user.id, interaction.message.id, game)
        if key is not None and key in self._opened:
            opened_id = self._opened[key]
            if opened_id is None:
                raise Stale(0)
            return await self._service.table(opened_id)
        if key is not None:
            self._opened[key] = None
        try:
            async with self._rules.pacing(interaction) as limits:
                table = await self._open(interaction, game, options, computers, level, limits)
        except BaseException:
            if key is not None:
                self._opened.pop(key, None)
            raise
        if key is not None:
            self._opened[key] = table.id
        return table

    async def _open(
        self,
        interaction: Interaction,
        game: str,
        options: Options,
        computers: int,
        level: str,
        limits: OpeningLimits,
    ) -> Table:
        person = person_of(interaction)
        # Checked before the thread exists: a person with too many tables must not leave empty threads behind.
        await require_room(self._service, person, interaction.guild_id, limits)
        if not await acknowledge_first(interaction):
            raise Stale(0)
        title = self._service.games[game].game.info.title
        thread = await _create_thread(interaction, title)
        location = Location(interaction.guild_id, thread.id)
        try:
            clock = (await self._rules.settings_of(interaction)).get(CLOCK)
            table = await open_game(
                self._service,
                game,
                options,
                person,
                location,
                click_id=interaction.id,
                computers=computers,
                level=level,
                clock=clock,
                limits=limits,
            )
        except OutcomeUnknown:
            raise
        except BaseException:
            await _discard(thread)
            raise
        set_table(table.id, game)
        # Without this, Discord does not list the thread for the opener.
        with contextlib.suppress(*NETWORK_ERRORS), reading():
            async with asyncio.timeout(_REQUEST_SECONDS):
                await thread.add_user(discord.Object(person.id))
        return table


def refused_text(refusal: ThreadRefused) -> str:
    """Return a sentence that says why a table is in the channel."""
    return _("{why} I've opened the table in this channel instead.").format(why=refusal)


def thread_text(table: Table) -> str:
    """Return a sentence that says in which thread a table is."""
    return _("Your table has its own thread: <#{thread}>").format(thread=table.header.location.channel_id)


async def _create_thread(interaction: Interaction, title: str) -> discord.Thread:
    channel = cast("discord.TextChannel", interaction.channel)
    threads = await fetch_threads(channel.guild)
    taken = {thread.name for thread in threads if thread.parent_id == channel.id}
    # The thread's name outlives people's data, so it contains no person's name.
    names = (_("{game} · table {number}").format(game=title, number=number) for number in count(1))
    try:
        return await create_thread(channel, next(name for name in names if name not in taken))
    except NETWORK_ERRORS as fault:
        log.warning("a thread could not be opened in channel %s: %s", interaction.channel_id, fault)
        raise Refusal(HostReason.NO_THREAD) from fault


async def _discard(thread: discord.Thread) -> None:
    """Delete a thread without a table or, without the permission to do so, archive it."""
    with contextlib.suppress(*NETWORK_ERRORS), reading():
        async with asyncio.timeout(_REQUEST_SECONDS):
            try:
                await thread.delete()
            except discord.Forbidden:
                await thread.edit(archived=True)
