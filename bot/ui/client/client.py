"""The Discord client that hosts the tables."""

import asyncio
import contextlib
import importlib
import logging
import pkgutil
from collections.abc import Coroutine, Mapping
from typing import Any, Final, Protocol

import aiohttp
import discord
from discord import app_commands
from discord.ext import commands

from bot.community.ports import Archive, PreferenceBook
from bot.community.preferences import PreferenceCache
from bot.community.service import Community
from bot.observability.metrics import Kind, Watch
from bot.observability.trace import begun, present
from bot.rules.package import GamePackage
from bot.rules.refusals import Refusal
from bot.tables.actions.idle import STANDARD_LIMITS, SilenceLimits
from bot.tables.ports import HostStore
from bot.tables.refusals import HostReason
from bot.tables.runtime.cache import CACHE_BYTES
from bot.tables.runtime.host import HOST_CLOSE_SECONDS, Host
from bot.ui.client.command_sync import Notes, sync_commands
from bot.ui.client.in_flight import Doorway
from bot.ui.delivery.http import NETWORK_FAULTS
from bot.ui.delivery.library_requests import LibraryRequests
from bot.ui.delivery.messenger import Messenger
from bot.ui.delivery.picture_attachments import Easel, Painter
from bot.ui.delivery.rate_limits import RequestLimits
from bot.ui.delivery.reminder_messages import DiscordBell
from bot.ui.delivery.table_messages import DiscordBoard
from bot.ui.dispatcher import PRESSED, Clicks
from bot.ui.drafts import Drafts
from bot.ui.features.hands import Hands
from bot.ui.features.idle_tables import SilentTables
from bot.ui.features.invitations import InvitationDesk
from bot.ui.features.lobby_commands import Lobbies
from bot.ui.features.outdated_hands import OutdatedHands
from bot.ui.features.readings import Readers
from bot.ui.features.replays import Replays
from bot.ui.features.results import Scorebook
from bot.ui.features.seats import Seats
from bot.ui.features.settings import PreferenceDesk
from bot.ui.features.table_commands import Desk
from bot.ui.interactions.callback_client import SwiftPostman
from bot.ui.interactions.ephemeral_messages import Whispers
from bot.ui.interactions.responses import Apologies, expect
from bot.ui.interactions.user_queues import Turns
from bot.ui.render.error_messages import Sentences

log = logging.getLogger(__name__)

COGS = "cogs"

_LEAVE_SECONDS: Final = 0.25
_ANSWER_SECONDS: Final = 1.5
_TIDY_SECONDS: Final = 0.25
_DISCONNECT_SECONDS: Final = 0.25

CLOSE_SECONDS: Final = _LEAVE_SECONDS + _ANSWER_SECONDS + HOST_CLOSE_SECONDS + _TIDY_SECONDS + _DISCONNECT_SECONDS
"""How long closing takes at most, whatever hangs: the process has to end within five seconds."""

# Nobody speaks here, so nobody needs to hear that the libraries for voice are missing.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


class Keeper(HostStore, Archive, PreferenceBook, Notes, Protocol):
    """A store that also knows the results of tables, what servers prefer, and remembers small facts."""


class CommandTree(app_commands.CommandTree["ParlourClient"]):
    """Slash commands whose failures always end in a sentence for the person who typed them."""

    async def interaction_check(self, interaction: discord.Interaction["ParlourClient"], /) -> bool:
        """Begin the trace of a command, and let everybody in at their turn, and know of them."""
        begun()
        interaction.client.doorway.enter()
        return await interaction.client.admit(interaction)

    async def on_error(
        self, interaction: discord.Interaction["ParlourClient"], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer what a command could not do."""
        if interaction.type is discord.InteractionType.application_command:
            await interaction.client.apologies.answer(interaction, error)
            interaction.client.watch.concluded(Kind.COMMAND, present())
        else:
            log.warning("suggestions failed", exc_info=error)


class ParlourClient(commands.AutoShardedBot):
    """Wires Discord to the tables; needs the guilds intent and nothing privileged."""

    def __init__(
        self,
        store: Keeper,
        games: Mapping[str, GamePackage],
        *,
        pause: float,
        reminds: bool = True,
        cache_bytes: int = CACHE_BYTES,
        most_open: int | None = None,
        silence_limits: SilenceLimits = STANDARD_LIMITS,
        dev_guild_id: int | None = None,
        watch: Watch | None = None,
        painter: Painter | None = None,
        connector: aiohttp.BaseConnector | None = None,
    ) -> None:
        self.watch = watch or Watch()
        self.watch.gateway = self
        self.watch.requests = limits = RequestLimits()
        listener = self.watch.request_listener()
        LibraryRequests(limits).listen(listener)
        super().__init__(
            commands.when_mentioned,
            help_command=None,
            tree_cls=CommandTree,
            intents=discord.Intents(guilds=True),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
            allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
            http_trace=listener,
            connector=connector,
        )
        self._close_task: asyncio.Task[None] | None = None
        self._notes: Notes = store
        self._dev_guild_id = dev_guild_id
        drafts, preferences, community = Drafts(), PreferenceCache(store), Community(store)
        self._easel = easel = Easel(painter, preferences, self.watch)
        board = DiscordBoard(drafts, easel)
        self._messenger = Messenger(self, limits)
        board.connect(self._messenger)
        self._postman = SwiftPostman(self.watch, limits)
        self.doorway = Doorway()
        self.turns = Turns()
        self.apologies = Apologies(Sentences(games))
        self.host = Host(
            store,
            games,
            board,
            DiscordBell(self, self._messenger),
            pause=pause,
            reminds=reminds,
            cache_bytes=cache_bytes,
            most_open=most_open,
            limits=silence_limits,
        )
        self.host.service.prepare_by(board.prepare)
        self.desk = Desk(self.host, board, self._postman)
        self.seats = Seats(self.host, self.desk)
        self.silent_tables = SilentTables(self.host, self.desk, board)
        self.whispers = Whispers()
        self.outdated_hands = OutdatedHands(self.host.service, self.whispers)
        self.hands = Hands(self.host, self.desk, easel, self.whispers, self.outdated_hands)
        self.lobbies = Lobbies(self.host, self.desk)
        self.invitations = InvitationDesk(self.host.invitations, self.host.service, self.desk)
        self.scorebook = Scorebook(community, games)
        self.readers = Readers(self.host, self.desk, board, self.whispers)
        self.replays = Replays(self.host.service, community, easel, self.whispers)
        self.preferences = PreferenceDesk(self.host, preferences)
        self.clicks = Clicks(
            self.host,
            board,
            drafts,
            self._postman,
            seats=self.seats,
            silent_tables=self.silent_tables,
            hands=self.hands,
            invitations=self.invitations,
            readers=self.readers,
            replays=self.replays,
            scorebook=self.scorebook,
            whispers=self.whispers,
            apologies=self.apologies,
        )

    async def load_cogs(self) -> None:
        """Load every module of the cogs folder."""
        for module in pkgutil.iter_modules(importlib.import_module(COGS).__path__):
            await self.load_extension(f"{COGS}.{module.name}")

    async def setup_hook(self) -> None:
        """Load the commands, tell Discord about them, and take up the tables that are open."""
        await self.load_cogs()
        self.add_listener(self._on_click, "on_interaction")
        if self.application_id is not None:
            await sync_commands(self.tree, self._notes, self.application_id, self._dev_guild_id)
        self.host.start()

    async def on_app_command_completion(self, _command: "Command", _used: object) -> None:
        """Count a command that has done its work."""
        self.watch.concluded(Kind.COMMAND, present())

    def latencies_by_shard(self) -> dict[int, float | None]:
        """Return the seconds of each shard's last heartbeat, None for one that is not connected; at first nothing."""
        if not self.is_ready():
            return {}
        return {number: None if shard.is_closed() else shard.latency for number, shard in self.shards.items()}

    async def on_ready(self) -> None:
        """Note that every shard is connected."""
        if self.is_closed():
            # The library waits for servers a while before it calls this: the bot may have come to an end meanwhile.
            return
        log.info("ready as %s in %d servers", self.user, len(self.guilds))
        # Only now: connecting must not wait for brushes.
        await self._easel.prepare()

    async def close(self) -> None:
        """Stop listening, answer whoever waits, finish and show what was begun at the tables, then disconnect."""
        if self._close_task is None:
            # The library, too, closes the client when the gateway turns it away, perhaps at the same moment.
            self._close_task = asyncio.create_task(self._close(), name="closing")
        await asyncio.shield(self._close_task)

    async def _close(self) -> None:
        """Close in steps that each wait for some time at most: `CLOSE_SECONDS` together."""
        await self._stop_listening()
        await self.doorway.empty(_ANSWER_SECONDS)
        await self.host.close()
        await asyncio.gather(self.outdated_hands.close(_TIDY_SECONDS), self.whispers.close(_TIDY_SECONDS))
        await _within(_DISCONNECT_SECONDS, super().close())
        await asyncio.gather(self._postman.close(), self._messenger.close())

    async def _stop_listening(self) -> None:
        """Leave the gateway; requests can still be sent. A new process may hear what this one no longer hears."""
        await _within(_LEAVE_SECONDS, *(shard.disconnect() for shard in self.shards.values()))

    async def admit(self, interaction: discord.Interaction[Any]) -> bool:
        """Wait until an interaction may be worked on; tell whether it may be at all.

        Suggestions are of no use later: where they would have to wait there are none. Who is far too quick is told so
        once.
        """
        person_id = interaction.user.id
        if not self.turns.is_free(person_id):
            if interaction.type is discord.InteractionType.autocomplete:
                with contextlib.suppress(*NETWORK_FAULTS):
                    await interaction.response.autocomplete([])
                return False
            if self.turns.is_full(person_id):
                if self.turns.warn_once(person_id):
                    await self.apologies.answer(interaction, Refusal(HostReason.TOO_QUICK))
                return False
            expect(interaction)
        await self.turns.take(person_id)
        return True

    async def _on_click(self, interaction: discord.Interaction["ParlourClient"]) -> None:
        self.doorway.enter()
        if interaction.type in PRESSED:
            trace = begun()
            if not await self.admit(interaction):
                return
            await self.clicks.on_interaction(interaction)
            self.watch.concluded(Kind.CLICK, trace)


async def _within(seconds: float, *work: Coroutine[Any, Any, None]) -> None:
    """Do some work at once, and stop what takes longer than this."""
    if not work:
        return
    tasks = [asyncio.create_task(each) for each in work]
    _, late = await asyncio.wait(tasks, timeout=seconds)
    for task in late:
        task.cancel()


Command = discord.Interaction[ParlourClient]
"""An interaction as the cogs get it."""
