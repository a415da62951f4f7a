"""The Discord client: receives interactions and shuts down in order."""

import asyncio
import contextlib
import importlib
import logging
import pkgutil
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

import discord
from discord import app_commands
from discord.ext import commands

from bot.platform.discord.answers import clear_late_pictures, note_languages, note_place, schedule_deferral
from bot.platform.discord.command_sync import sync_commands_if_possible
from bot.platform.discord.connection_state import make_connector, use_trimmed_state
from bot.platform.discord.context import is_outside
from bot.platform.discord.declared_options import are_readable_options, require_declared_options
from bot.platform.discord.dispatch import CLICK_TYPES
from bot.platform.discord.emoji_sync import EmojiSync
from bot.platform.discord.gateway import IdentifyGate, ShardedBot
from bot.platform.discord.http import NETWORK_ERRORS, MessageClient, reading
from bot.platform.discord.interaction_responses import CallbackClient
from bot.platform.discord.queues import InFlight, UserQueues
from bot.platform.discord.rate_limits import MAX_WAIT_SECONDS, LibraryRequestLimiter, RateLimiter
from bot.platform.discord.refusals import ClickReason
from bot.platform.observability.metrics import InteractionKind, Metrics
from bot.platform.observability.trace import get_or_start_trace, start_trace
from bot.platform.places import ShardRange
from bot.platform.registration import FEATURES_CLOSE_SECONDS, ClientEvent, Registry
from bot.platform.tasks import TaskSet
from bot.rules.refusals import Refusal

log = logging.getLogger(__name__)

COGS = "cogs"
"""The folder of the games' commands."""

_LEAVE_SECONDS: Final = 0.25
ANSWER_SECONDS: Final = 1.5
_JOBS_SECONDS: Final = 0.25
_DISCONNECT_SECONDS: Final = 0.25

CLOSE_SECONDS: Final = _LEAVE_SECONDS + ANSWER_SECONDS + _JOBS_SECONDS + FEATURES_CLOSE_SECONDS + _DISCONNECT_SECONDS
"""The most seconds that closing takes, even if everything hangs; the process must end within five."""

OVERLAP_SECONDS: Final = 2.5 + CLOSE_SECONDS
"""The previous process of the same shards notices the new one, and ends, within this time."""

# Avoids a confusing warning about missing libraries for voice, which the bot does not use.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False


@dataclass(frozen=True, slots=True)
class DiscordRequests:
    """The senders of requests to Discord: with the bot's token, and in responses to interactions."""

    limits: RateLimiter
    messages: MessageClient
    callbacks: CallbackClient


class CommandTree(app_commands.CommandTree["ParlourClient"]):
    """Slash commands, which answer every failure with a sentence."""

    async def interaction_check(self, interaction: discord.Interaction["ParlourClient"], /) -> bool:
        """Trace and track a command, wait for its turn in the user's queue, and refuse undeclared options."""
        start_trace()
        client = interaction.client
        client.in_flight.track()
        if not await client.admit(interaction):
            return False
        if interaction.type is discord.InteractionType.autocomplete:
            if are_readable_options(interaction):
                return True
            await client.suggest_nothing(interaction)
            return False
        try:
            require_declared_options(interaction)
        except (Refusal, app_commands.AppCommandError) as fault:
            # Answer here, because discord.py would try to read the unreadable options again.
            await client.app.answer_fault(interaction, fault)
            client.metrics.count_interaction(InteractionKind.COMMAND, get_or_start_trace())
            return False
        return True

    async def on_error(
        self, interaction: discord.Interaction["ParlourClient"], error: app_commands.AppCommandError, /
    ) -> None:
        """Tell the user of a command what went wrong; only log errors of suggestions."""
        if interaction.type is discord.InteractionType.application_command:
            await interaction.client.app.answer_fault(interaction, error)
            interaction.client.metrics.count_interaction(InteractionKind.COMMAND, get_or_start_trace())
        else:
            log.warning("suggestions failed", exc_info=error)


class ParlourClient(ShardedBot):
    """Receives interactions; needs the guilds intent and no privileged one."""

    def __init__(
        self,
        app: Registry,
        requests: DiscordRequests,
        metrics: Metrics,
        *,
        identify_gate: IdentifyGate,
        add_commands: Callable[[app_commands.CommandTree[Any]], None] = lambda _: None,
        dev_guild_id: int | None = None,
        user_install: bool = False,
        emoji_sync: EmojiSync | None = None,
    ) -> None:
        trace_config = metrics.make_http_trace()
        LibraryRequestLimiter(requests.limits).register_callbacks(trace_config)
        with use_trimmed_state():
            super().__init__(
                identify_gate,
                commands.when_mentioned,
                help_command=None,
                tree_cls=CommandTree,
                intents=discord.Intents(guilds=True),
                member_cache_flags=discord.MemberCacheFlags.none(),
                chunk_guilds_at_startup=False,
                allowed_mentions=discord.AllowedMentions.none(),
                allowed_contexts=app_commands.AppCommandContext(
                    guild=True, dm_channel=True, private_channel=user_install
                ),
                allowed_installs=app_commands.AppInstallationType(guild=True, user=user_install),
                http_trace=trace_config,
                max_ratelimit_timeout=MAX_WAIT_SECONDS,
                connector=make_connector(),
            )
        self.app = app
        app.find_membership = self._find_membership
        app.find_server = app.languages.find_server = self.get_guild
        self.metrics = metrics
        self.in_flight = InFlight()
        self.user_queues = UserQueues()
        self._add_commands = add_commands
        self._requests = requests
        self.limits = requests.limits
        self._dev_guild_id = dev_guild_id
        self._user_install = user_install
        self._emoji_sync = emoji_sync
        self.connected = asyncio.Event()
        """Set once every shard has received its servers."""
        self._joined = set[int]()
        """Servers to report as joined."""
        self._lost_channels = set[int]()
        """Servers with deleted channels, whose threads must still be checked."""
        self._overlap: asyncio.TimerHandle | None = None
        """Ends the period in which another process may serve the same shards."""
        self._tasks = TaskSet("background")
        self._close_task: asyncio.Task[None] | None = None

    async def load_cogs(self) -> None:
        """Add the commands of the features and of all modules in the cogs folder, and a `new` command to every game."""
        for cog in self.app.cogs:
            await self.add_cog(cog)
        for module in pkgutil.iter_modules(importlib.import_module(COGS).__path__):
            await self.load_extension(f"{COGS}.{module.name}")
        self._add_commands(self.tree)

    async def list_commands(self) -> list[str]:
        """Load every cog and return the sorted names of all slash commands; needs no connection."""
        await self.load_cogs()
        found = self.tree.walk_commands()
        return sorted(f"/{each.qualified_name}" for each in found if isinstance(each, app_commands.Command))

    async def setup_hook(self) -> None:
        """Load the commands, register them with Discord, and start hosting the open tables."""
        self._requests.messages.open(self)
        await self.load_cogs()
        if self.application_id is not None:
            await sync_commands_if_possible(
                self.tree, self.app.db, self.application_id, self._dev_guild_id, self.app.languages.catalogues
            )
        # Note this before anybody can count as absent.
        await self.app.runner.note_alive()
        await self.app.tell(ClientEvent.STARTING)
        self._tasks.start("started", self.app.tell(ClientEvent.STARTED))
        if self._emoji_sync is not None:
            self._tasks.start("emoji", self._emoji_sync.use_existing(self))
        self.app.follow_other_process()
        self.app.chores.start()

    async def on_app_command_completion(self, _command: "ParlourInteraction", _used: object) -> None:
        """Count a completed command."""
        self.metrics.count_interaction(InteractionKind.COMMAND, get_or_start_trace())

    def use_shards(self, shards: ShardRange) -> None:
        """Serve only some shards, with their share of the requests; call this before connecting."""
        self.shard_ids, self.shard_count = list(shards.numbers), shards.count
        self.limits.share = len(shards.numbers) / shards.count
        self.share_requests()

    def share_requests(self) -> None:
        """Leave half of the requests to the process that serves the same shards for now, before or after this one."""
        if self._overlap is not None:
            self._overlap.cancel()
        self.limits.is_halved = True

    def _use_all_requests(self) -> None:
        self.limits.is_halved = False

    def _find_membership(self, guild_id: int) -> bool | None:
        return self.get_guild(guild_id) is not None if self.connected.is_set() else None

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Keep the data of a server that the bot had left."""
        self._joined.add(guild.id)
        self._tasks.start("joined", self._note_joined())

    async def _note_joined(self) -> None:
        """Report servers in one batch, because Discord may announce thousands at once after an outage."""
        while self._joined:
            joined, self._joined = list(self._joined), set()
            await self.app.tell(ClientEvent.SERVERS_JOINED, joined)

    async def on_server_entered(self, guild_id: int, since: datetime, system_channel_id: int | None) -> None:
        """Report a server that the bot has just joined, or joined shortly before it started."""
        told = self.app.tell(ClientEvent.SERVER_ENTERED, guild_id, since, system_channel_id)
        self._tasks.start(("entered", guild_id), told)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        """Handle a server that becomes available like a joined one, except at the start, when all servers do."""
        if self.connected.is_set():
            await self.on_guild_join(guild)

    async def on_guild_update(self, _before: discord.Guild, after: discord.Guild) -> None:
        """Note a server's language, which may have changed."""
        await self.app.languages.of_server(after.id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Schedule the deletion of a server's data. discord.py does not call this for unavailable servers."""
        self._tasks.start(("left", guild.id), self.app.tell(ClientEvent.SERVER_LEFT, guild.id))

    async def on_channel_deleted(self, channel_id: int, guild_id: int | None) -> None:
        """Report a deleted channel, so that its pings hold no others back; with a server, check lost threads, too."""
        await self.on_thread_deleted(channel_id)
        if guild_id is not None:
            self._lost_channels.add(guild_id)
            self._tasks.start("lost", self._look_for_lost_threads())

    async def on_thread_deleted(self, channel_id: int) -> None:
        """Report a deleted thread, so that its pings hold no others back."""
        self._tasks.start(("deleted", channel_id), self.app.tell(ClientEvent.CHANNEL_DELETED, channel_id))

    async def _look_for_lost_threads(self) -> None:
        while self._lost_channels:
            await self.app.tell(ClientEvent.CHANNELS_LOST, self._lost_channels.pop())

    async def on_shard_ready(self, _number: int) -> None:
        """Take up the work that this shard's previous process leaves."""
        self.app.follow_other_process()

    async def on_ready(self) -> None:
        """Prepare the pictures once every shard is connected, then create missing emoji."""
        # discord.py waits for servers before this call, so the bot may have been closed meanwhile. It does not wait for
        # shards that identify later, but calls this again for them.
        if self.is_closed() or len(self.shards) < len(self.shard_ids or range(self.shard_count or 0)):
            return
        if not self.connected.is_set():
            self._overlap = asyncio.get_running_loop().call_later(OVERLAP_SECONDS, self._use_all_requests)
        self.connected.set()
        await self.app.tell(ClientEvent.CONNECTED)
        if self.is_closed():
            return
        log.info("ready as %s; servers: %d", self.user, len(self.guilds))
        # Prepare only now, because connecting must not wait for pictures.
        present = [guild.id for guild in self.guilds]
        self._tasks.start("servers", self.app.tell(ClientEvent.SERVERS_PRESENT, present))
        await self.app.tell(ClientEvent.READY)
        if self._emoji_sync is not None:
            self._tasks.start("sync", self._emoji_sync.run(self))

    async def close(self) -> None:
        """Shut down: stop receiving, drain interactions, flush tables, disconnect."""
        if self._close_task is None:
            # discord.py also closes the client if the gateway rejects it, perhaps at the same moment.
            self._close_task = asyncio.create_task(self._close(), name="closing")
        await asyncio.shield(self._close_task)

    async def _close(self) -> None:
        """Close in steps with time limits, which add up to `CLOSE_SECONDS`."""
        await self._tasks.cancel_all()
        # Leave the gateway first, so that a new process gets the events; sending requests still works.
        await _run_with_timeout(_LEAVE_SECONDS, *(shard.disconnect() for shard in self.shards.values()))
        await self.in_flight.drain(ANSWER_SECONDS)
        await self.app.runner.close(_JOBS_SECONDS)
        await self.app.chores.close()
        await self.app.close()
        clear_late_pictures()
        await _run_with_timeout(_DISCONNECT_SECONDS, super().close())
        await asyncio.gather(self._requests.callbacks.close(), self._requests.messages.close())

    async def admit(self, interaction: discord.Interaction[Any]) -> bool:
        """Wait until an interaction may be handled; return False if it may not, or if the person is banned.

        Every command, click and suggestion passes here. Suggestions are useless later, so they don't wait and stay
        empty. A user gets one warning about too many clicks.
        """
        person_id = interaction.user.id
        if not self.user_queues.is_free(person_id):
            if interaction.type is discord.InteractionType.autocomplete:
                await self.suggest_nothing(interaction)
                return False
            if self.user_queues.is_full(person_id):
                if self.user_queues.warn_once(person_id):
                    await self._note_languages(interaction)
                    await self.app.answer_fault(interaction, Refusal(ClickReason.TOO_QUICK))
                return False
            schedule_deferral(interaction)
        note_place(interaction, await self.user_queues.acquire(person_id))
        # Later, because it may wait for the database while other interactions of the person come.
        await self._note_languages(interaction)
        refusal = await self.app.find_refusal(interaction)
        if is_outside(interaction) and not self._user_install:
            refusal = Refusal(ClickReason.NO_PLACE)
        if refusal is None:
            return True
        if interaction.type is discord.InteractionType.autocomplete:
            await self.suggest_nothing(interaction)
        else:
            await self.app.answer_fault(interaction, refusal)
        return False

    async def _note_languages(self, interaction: discord.Interaction[Any]) -> None:
        note_languages(interaction, *await self.app.languages.of_interaction(interaction))

    async def suggest_nothing(self, interaction: discord.Interaction[Any]) -> None:
        """Answer a request for suggestions with an empty list."""
        with contextlib.suppress(*NETWORK_ERRORS), reading():
            await interaction.response.autocomplete([])

    async def on_interaction(self, interaction: discord.Interaction["ParlourClient"]) -> None:
        """Handle a click; the command tree handles commands."""
        self.in_flight.track()
        if interaction.type in CLICK_TYPES:
            trace = start_trace()
            if not await self.admit(interaction):
                return
            await self.app.dispatcher.on_interaction(interaction)
            self.metrics.count_interaction(InteractionKind.CLICK, trace)


async def _run_with_timeout(seconds: float, *work: Coroutine[Any, Any, None]) -> None:
    """Run coroutines concurrently, and cancel them after a timeout."""
    if not work:
        return
    tasks = [asyncio.create_task(each) for each in work]
    _, late = await asyncio.wait(tasks, timeout=seconds)
    for task in late:
        task.cancel()


ParlourInteraction = discord.Interaction[ParlourClient]
"""An interaction as cogs receive it."""
