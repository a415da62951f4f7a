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

from bot.community.ports import PreferenceStore, ResultStore
from bot.community.preferences import PreferenceCache
from bot.community.service import ResultsService
from bot.observability.metrics import InteractionKind, Metrics
from bot.observability.trace import get_or_start_trace, start_trace
from bot.rules.refusals import Refusal
from bot.tables.actions.idle import DEFAULT_IDLE_LIMITS, IdleLimits
from bot.tables.ports import HostStore
from bot.tables.refusals import HostReason
from bot.tables.registry import AnyPackage
from bot.tables.runtime.cache import CACHE_BYTES
from bot.tables.runtime.host import HOST_CLOSE_SECONDS, Host
from bot.ui.client.command_sync import KeyValueStore, sync_commands
from bot.ui.client.in_flight import InFlight
from bot.ui.delivery.http import NETWORK_ERRORS
from bot.ui.delivery.library_request_limiter import LibraryRequestLimiter
from bot.ui.delivery.message_client import MessageClient
from bot.ui.delivery.message_sender import DiscordMessageSender
from bot.ui.delivery.picture_attachments import PictureAttacher, PictureDrawer
from bot.ui.delivery.rate_limits import RateLimiter
from bot.ui.delivery.table_messages import DiscordTableMessages
from bot.ui.dispatcher import CLICK_TYPES, Dispatcher
from bot.ui.drafts import Drafts
from bot.ui.features.hands import Hands
from bot.ui.features.idle_tables import IdleTableCommands
from bot.ui.features.invitations import InvitationCommands
from bot.ui.features.lobby_commands import LobbyCommands
from bot.ui.features.new_command import add_new_commands
from bot.ui.features.outdated_hands import OutdatedHands
from bot.ui.features.readings import Readings
from bot.ui.features.replays import Replays
from bot.ui.features.results import ResultsCommands
from bot.ui.features.seats import SeatCommands
from bot.ui.features.settings import SettingsCommands
from bot.ui.features.table_commands import TableCommands
from bot.ui.interactions.callback_client import HttpCallbackClient
from bot.ui.interactions.ephemeral_messages import EphemeralMessages
from bot.ui.interactions.error_replies import ErrorReplies
from bot.ui.interactions.responses import schedule_deferral
from bot.ui.interactions.user_queues import UserQueues
from bot.ui.render.error_messages import ErrorMessages

log = logging.getLogger(__name__)

COGS = "cogs"

_LEAVE_SECONDS: Final = 0.25
ANSWER_SECONDS: Final = 1.5
_TIDY_SECONDS: Final = 0.25
_DISCONNECT_SECONDS: Final = 0.25

CLOSE_SECONDS: Final = _LEAVE_SECONDS + ANSWER_SECONDS + HOST_CLOSE_SECONDS + _TIDY_SECONDS + _DISCONNECT_SECONDS
"""How long closing takes at most, whatever hangs: the process has to end within five seconds."""

# Nobody speaks here, so nobody needs to hear that the libraries for voice are missing.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


class Storage(HostStore, ResultStore, PreferenceStore, KeyValueStore, Protocol):
    """A store that also knows the results of tables, what servers prefer, and remembers small facts."""


class CommandTree(app_commands.CommandTree["ParlourClient"]):
    """Slash commands whose failures always end in a sentence for the person who typed them."""

    async def interaction_check(self, interaction: discord.Interaction["ParlourClient"], /) -> bool:
        """Begin the trace of a command, and let everybody in at their turn, and know of them."""
        start_trace()
        interaction.client.in_flight.track()
        return await interaction.client.admit(interaction)

    async def on_error(
        self, interaction: discord.Interaction["ParlourClient"], error: app_commands.AppCommandError, /
    ) -> None:
        """Answer what a command could not do."""
        if interaction.type is discord.InteractionType.application_command:
            await interaction.client.error_replies.send(interaction, error)
            interaction.client.metrics.count_interaction(InteractionKind.COMMAND, get_or_start_trace())
        else:
            log.warning("suggestions failed", exc_info=error)


class ParlourClient(commands.AutoShardedBot):
    """Wires Discord to the tables; needs the guilds intent and nothing privileged."""

    def __init__(
        self,
        store: Storage,
        games: Mapping[str, AnyPackage],
        *,
        pause: float,
        reminds: bool = True,
        cache_bytes: int = CACHE_BYTES,
        most_open: int | None = None,
        silence_limits: IdleLimits = DEFAULT_IDLE_LIMITS,
        dev_guild_id: int | None = None,
        metrics: Metrics | None = None,
        painter: PictureDrawer | None = None,
        connector: aiohttp.BaseConnector | None = None,
    ) -> None:
        self.metrics = metrics or Metrics()
        self.metrics.gateway = self
        self.metrics.request_stats = limits = RateLimiter()
        listener = self.metrics.make_http_trace()
        LibraryRequestLimiter(limits).register_callbacks(listener)
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
        self._key_value_store: KeyValueStore = store
        self._dev_guild_id = dev_guild_id
        drafts, preferences, community = Drafts(), PreferenceCache(store), ResultsService(store)
        self._picture_attacher = picture_attacher = PictureAttacher(painter, preferences, self.metrics)
        table_messages = DiscordTableMessages(drafts, picture_attacher)
        self._messenger = MessageClient(self, limits)
        table_messages.connect(self._messenger)
        self._callback_client = HttpCallbackClient(self.metrics, limits)
        self.in_flight = InFlight()
        self.user_queues = UserQueues()
        self.error_replies = ErrorReplies(ErrorMessages(games))
        self.host = Host(
            store,
            games,
            table_messages,
            DiscordMessageSender(self, self._messenger),
            pause=pause,
            reminds=reminds,
            cache_bytes=cache_bytes,
            most_open=most_open,
            limits=silence_limits,
        )
        self.host.service.add_preparer(table_messages.prepare)
        self.table_commands = TableCommands(self.host, table_messages, self._callback_client)
        self.seat_commands = SeatCommands(self.host, self.table_commands)
        self.idle_table_commands = IdleTableCommands(self.host, self.table_commands, table_messages)
        self.ephemeral_messages = EphemeralMessages()
        self.outdated_hands = OutdatedHands(self.host.service, self.ephemeral_messages)
        self.hands = Hands(
            self.host, self.table_commands, picture_attacher, self.ephemeral_messages, self.outdated_hands
        )
        self.lobby_commands = LobbyCommands(self.host, self.table_commands)
        self.invitation_commands = InvitationCommands(self.host.invitations, self.host.service, self.table_commands)
        self.results_commands = ResultsCommands(community, games)
        self.readings = Readings(self.host, self.table_commands, table_messages, self.ephemeral_messages)
        self.replays = Replays(self.host.service, community, picture_attacher, self.ephemeral_messages)
        self.settings_commands = SettingsCommands(self.host, preferences)
        self.dispatcher = Dispatcher(
            self.host,
            table_messages,
            drafts,
            self._callback_client,
            seats=self.seat_commands,
            idle_table_commands=self.idle_table_commands,
            hands=self.hands,
            invitations=self.invitation_commands,
            readings=self.readings,
            replays=self.replays,
            results_commands=self.results_commands,
            ephemeral_messages=self.ephemeral_messages,
            error_replies=self.error_replies,
        )

    async def load_cogs(self) -> None:
        """Load every module of the cogs folder, and add `new` to the commands of every game."""
        for module in pkgutil.iter_modules(importlib.import_module(COGS).__path__):
            await self.load_extension(f"{COGS}.{module.name}")
        add_new_commands(self.tree, self.host.service.games.values())

    async def setup_hook(self) -> None:
        """Load the commands, tell Discord about them, and take up the tables that are open."""
        await self.load_cogs()
        if self.application_id is not None:
            await sync_commands(self.tree, self._key_value_store, self.application_id, self._dev_guild_id)
        self.host.start()

    async def on_app_command_completion(self, _command: "Interaction", _used: object) -> None:
        """Count a command that has done its work."""
        self.metrics.count_interaction(InteractionKind.COMMAND, get_or_start_trace())

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
        await self._picture_attacher.prepare()

    async def close(self) -> None:
        """Stop listening, answer whoever waits, finish and show what was begun at the tables, then disconnect."""
        if self._close_task is None:
            # The library, too, closes the client when the gateway turns it away, perhaps at the same moment.
            self._close_task = asyncio.create_task(self._close(), name="closing")
        await asyncio.shield(self._close_task)

    async def _close(self) -> None:
        """Close in steps that each wait for some time at most: `CLOSE_SECONDS` together."""
        await self._disconnect_shards()
        await self.in_flight.drain(ANSWER_SECONDS)
        await self.host.close()
        await asyncio.gather(self.outdated_hands.close(_TIDY_SECONDS), self.ephemeral_messages.close(_TIDY_SECONDS))
        await _run_with_timeout(_DISCONNECT_SECONDS, super().close())
        await asyncio.gather(self._callback_client.close(), self._messenger.close())

    async def _disconnect_shards(self) -> None:
        """Leave the gateway; requests can still be sent. A new process may hear what this one no longer hears."""
        await _run_with_timeout(_LEAVE_SECONDS, *(shard.disconnect() for shard in self.shards.values()))

    async def admit(self, interaction: discord.Interaction[Any]) -> bool:
        """Wait until an interaction may be worked on; tell whether it may be at all.

        Suggestions are of no use later: where they would have to wait there are none. Who is far too quick is told so
        once.
        """
        person_id = interaction.user.id
        if not self.user_queues.is_free(person_id):
            if interaction.type is discord.InteractionType.autocomplete:
                with contextlib.suppress(*NETWORK_ERRORS):
                    await interaction.response.autocomplete([])
                return False
            if self.user_queues.is_full(person_id):
                if self.user_queues.warn_once(person_id):
                    await self.error_replies.send(interaction, Refusal(HostReason.TOO_QUICK))
                return False
            schedule_deferral(interaction)
        await self.user_queues.acquire(person_id)
        return True

    async def on_interaction(self, interaction: discord.Interaction["ParlourClient"]) -> None:
        """Handle a click; the command tree handles commands."""
        self.in_flight.track()
        if interaction.type in CLICK_TYPES:
            trace = start_trace()
            if not await self.admit(interaction):
                return
            await self.dispatcher.on_interaction(interaction)
            self.metrics.count_interaction(InteractionKind.CLICK, trace)


async def _run_with_timeout(seconds: float, *work: Coroutine[Any, Any, None]) -> None:
    """Do some work at once, and stop what takes longer than this."""
    if not work:
        return
    tasks = [asyncio.create_task(each) for each in work]
    _, late = await asyncio.wait(tasks, timeout=seconds)
    for task in late:
        task.cancel()


Interaction = discord.Interaction[ParlourClient]
"""An interaction as the cogs get it."""
