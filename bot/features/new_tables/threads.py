"""Opens new tables in their own threads, in servers that want this."""

import asyncio
import contextlib
import logging
from collections.abc import Hashable, Sequence
from typing import Final, cast

import discord
from cachetools import LRUCache

from bot.features.new_tables.archiving import schedule_again
from bot.features.settings.all_settings import CLOCK, TABLES
from bot.features.settings.choices import TablesChoice
from bot.features.settings.service import ServerRules
from bot.languages import speaking
from bot.platform.database.errors import OutcomeUnknown
from bot.platform.discord.answers import Interaction, speaking_to_everyone
from bot.platform.discord.channels import (
    CHANNELS_WITH_THREADS,
    MAX_THREAD_NAME,
    ThreadRefused,
    create_thread,
    edit_thread,
    missing_for_threads,
)
from bot.platform.discord.context import channel_of, person_of
from bot.platform.discord.hand_over import acknowledge_first
from bot.platform.discord.http import NETWORK_ERRORS, MessageClient, reading
from bot.platform.discord.languages import Languages
from bot.platform.observability.trace import set_table
from bot.platform.places import Location
from bot.platform.tasks import TaskSet
from bot.rules.game import Options
from bot.rules.refusals import Refusal
from bot.tables.characters import name_seats
from bot.tables.lobby import make_occupant
from bot.tables.model import Occupant, OpeningLimits, Status, TableId
from bot.tables.opening import open_game, require_room
from bot.tables.refusals import HostReason, Stale
from bot.tables.registry import usual_level
from bot.tables.service import TableService
from bot.tables.shown.links import sanitize_name, shorten_names
from bot.tables.table import Table
from bot.words import N_, gettext as _, join_items, truncate

log = logging.getLogger(__name__)

_REQUEST_SECONDS: Final = 10.0
_MAX_REMEMBERED: Final = 4096

_THREADS: Final = (
    discord.ChannelType.public_thread,
    discord.ChannelType.private_thread,
    discord.ChannelType.news_thread,
)

_NO_THREADS = N_(
    "This server gives each table its own thread, but I lack a permission for that here: **{permissions}**. So the "
    "table is in the channel."
)


_NO_PRIVATE_THREADS = N_(
    "This server gives each table its own thread, a private one for a game of one person, but I lack a permission for "
    "that here: **{permissions}**. So the game is in the channel."
)


_NO_THREADS_HERE = N_(
    "This server gives each table its own thread, but channels of this kind have none. So the table is in the channel."
)


class TableThreads:
    """Opens a thread for a table, and the table in it; the thread's name says who plays."""

    def __init__(
        self, service: TableService, rules: ServerRules, message_client: MessageClient, languages: Languages
    ) -> None:
        self._service = service
        self._languages = languages
        self._rules = rules
        self._message_client = message_client
        self._names: LRUCache[int, str] = LRUCache(_MAX_REMEMBERED)
        """The names of threads, as far as this process has given them."""
        self.tasks = TaskSet("thread's name")
        self._opened: LRUCache[Hashable, TableId | None] = LRUCache(_MAX_REMEMBERED)
        """The tables opened by buttons, by user, message and request; None while a table is being opened."""

    async def missing_note(self, interaction: Interaction, *, is_private: bool) -> str:
        """Return sentences that say why a table gets no thread, in a server that wants one for each; else nothing."""
        kind = getattr(interaction.channel, "type", None)
        if kind in _THREADS or (await self._rules.settings_of(interaction)).get(TABLES) is not TablesChoice.THREAD:
            return ""
        if kind not in CHANNELS_WITH_THREADS:
            return _(_NO_THREADS_HERE)
        if is_private and kind is not discord.ChannelType.text:
            return ""  # other channels have no private threads
        missing = missing_for_threads(interaction.app_permissions, is_private=is_private)
        text = _(_NO_PRIVATE_THREADS if is_private else _NO_THREADS)
        return text.format(permissions=join_items(missing)) if missing else ""

    async def archive_again(self, interaction: Interaction) -> None:
        """Have a thread that the bot has opened archived after the table that is about to be opened in it, too."""
        if getattr(interaction.channel, "type", None) in _THREADS:
            thread_id, guild_id = channel_of(interaction), interaction.guild_id or 0
            await self._service.db.maintain(schedule_again, thread_id, guild_id, self._service.clock())

    def on_table_changed(self, table: Table) -> None:
        """Name the people in the name of a thread whose game has started; Discord allows only few changes of names."""
        header = table.header
        is_new = header.status is Status.PLAYING and header.step == 0
        if header.location.is_own_thread and is_new and not table.kind.is_arranged:
            self.tasks.start(table.id, self._rename(table))

    def clear(self) -> None:
        """Forget the names."""
        self._names.clear()

    async def _rename(self, table: Table) -> None:
        thread_id, client = table.header.location.channel_id, self._message_client.client
        with speaking(await self._languages.of_server(table.header.location.guild_id)):
            name = thread_name(_(table.package.game.info.title), name_seats(table.seats))
        if client is None or self._names.get(thread_id) == name:
            return
        self._names[thread_id] = name
        try:
            await edit_thread(client, thread_id, name=name)
        except NETWORK_ERRORS as fault:
            log.info("thread %s keeps its name: %s", thread_id, fault)

    async def open(
        self,
        interaction: Interaction,
        game: str,
        options: Options,
        computers: int,
        level: str = "",
        *,
        is_private: bool = False,
    ) -> Table:
        """Open a thread, perhaps a private one, and a table in it; raise what `open_game` raises.

        Discord takes only one response to an interaction, so the response decides which process opens the thread.

        Raises:
            Stale: Another process handles the interaction, or an earlier click on the same message is in progress.
            ThreadRefused: The table must be in the channel; the interaction is acknowledged, and no thread stays.
        """
        key: Hashable = None
        if interaction.message is not None:
            request = (game, options.model_dump_json(), computers, level, is_private)
            key = (interaction.user.id, interaction.message.id, request)
        if key in self._opened:
            opened_id = self._opened[key]
            if opened_id is None:
                raise Stale(0)
            table = await self._service.table(opened_id)
            if table.header.status.is_open:
                return table
            if self._opened.get(key) != opened_id:
                raise Stale(0)  # another click has come first
        if key is not None:
            self._opened[key] = None
        try:
            async with self._rules.pacing(interaction) as limits:
                table = await self._open(interaction, game, options, computers, level, limits, is_private=is_private)
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
        *,
        is_private: bool,
    ) -> Table:
        person = person_of(interaction)
        # Checked before the thread exists: a person with too many tables must not leave empty threads behind.
        await require_room(self._service, person, interaction.guild_id, limits)
        if not await acknowledge_first(interaction):
            raise Stale(0)
        package = self._service.games[game]
        players = [make_occupant(person, interaction.id), *[Occupant(level=level or usual_level(package))] * computers]
        with speaking_to_everyone(interaction):
            name = thread_name(_(package.game.info.title), name_seats(players))
        thread = await _create_thread(interaction, name, is_private=is_private)
        self._names[thread.id] = name
        location = Location(interaction.guild_id, thread.id, person.id if is_private else 0, is_own_thread=True)
        try:
            await _add_player(thread, person.id, is_private=is_private)
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
        return table


def refused_text(refusal: ThreadRefused) -> str:
    """Return a sentence that says why a table is in the channel."""
    return _("{why} I've opened the table in this channel instead.").format(why=_(str(refusal)))


def thread_text(table: Table) -> str:
    """Return a sentence that says in which thread a table is."""
    return _("Your table has its own thread: <#{thread}>").format(thread=table.header.location.channel_id)


def thread_name(title: str, names: Sequence[str]) -> str:
    """Return the name of a table's thread: the game, and who plays it."""
    players = join_items([sanitize_name(name) for name in shorten_names(names)])
    return truncate(_("{game}: {players}").format(game=title, players=players), MAX_THREAD_NAME)


async def _create_thread(interaction: Interaction, name: str, *, is_private: bool) -> discord.Thread:
    channel = cast("discord.TextChannel", interaction.channel)
    try:
        return await create_thread(channel, name, is_private=is_private)
    except NETWORK_ERRORS as fault:
        log.warning("a thread could not be opened in channel %s: %s", interaction.channel_id, fault)
        raise Refusal(HostReason.NO_THREAD) from fault


async def _add_player(thread: discord.Thread, user_id: int, *, is_private: bool) -> None:
    """Add a player to a thread, which Discord lists for its members; only members can see a private one.

    Raises:
        ThreadRefused: The player can't be added to a private thread.
    """
    try:
        with reading():
            async with asyncio.timeout(_REQUEST_SECONDS):
                await thread.add_user(discord.Object(user_id))
    except NETWORK_ERRORS as fault:
        log.info("a player could not be added to thread %s: %s", thread.id, fault)
        if is_private:
            raise ThreadRefused(N_("I couldn't add you to a private thread.")) from fault


async def _discard(thread: discord.Thread) -> None:
    """Delete a thread without a table or, without the permission to do so, archive it."""
    with contextlib.suppress(*NETWORK_ERRORS), reading():
        async with asyncio.timeout(_REQUEST_SECONDS):
            try:
                await thread.delete()
            except discord.Forbidden:
                await thread.edit(archived=True)
