"""Connects the shards of a bot."""

import asyncio
import logging
from collections import defaultdict
from typing import Any, Final

import discord
import yarl
from discord.backoff import ExponentialBackoff
from discord.ext import commands
from discord.http import Route

from bot.platform.discord.http import NETWORK_ERRORS, reading
from bot.platform.discord.identify_gate import IdentifyGate
from bot.platform.discord.session_starts import SessionStarts, StartLimit, read_start_limit

log = logging.getLogger(__name__)

SERVERS_SECONDS: Final = 2.0
"""How long Discord must name no further server before a shard counts as ready; discord.py's default."""

_LONGEST_PAUSE: Final = 30.0
"""How long a shard waits that loses one session after the other; discord.py gives up after a minute."""


class ShardedBot(commands.AutoShardedBot):
    """A bot whose shards connect at the same time, each once it may identify."""

    def __init__(self, identify_gate: IdentifyGate, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, guild_ready_timeout=SERVERS_SECONDS, **options)
        self._identify_gate = identify_gate
        self._admitted = set[int]()
        """Shards that may begin a session and have not yet."""
        self._starts = SessionStarts(self._fetch_start_limit)
        self._pauses: defaultdict[int, ExponentialBackoff[Any]] = defaultdict(ExponentialBackoff)
        """The growing pauses before the sessions that replace those a shard has lost."""
        self._launches: list[tuple[yarl.URL, int]] | None = None
        """The shards to be launched together; None if each is launched at once."""

    async def login(self, token: str) -> None:
        """Log in and set the bot up; raise MalformedAnswer if it can't be read what Discord says of the bot."""
        try:
            await super().login(token)
        except (LookupError, TypeError, ValueError, AttributeError):
            if self.application is not None:
                raise
            with reading():
                raise

    async def _fetch_start_limit(self) -> StartLimit:
        with reading():
            return read_start_limit(await self.http.request(Route("GET", "/gateway/bot")))

    async def launch_shards(self) -> None:
        """Connect all shards at the same time, where discord.py connects one after another."""
        if self.is_closed():
            return
        limit = await self._starts.wait(self.shard_count if self.shard_ids is None else len(self.shard_ids))
        self._identify_gate.max_concurrency = limit.max_concurrency
        self.shard_count = self.shard_count or limit.shards
        self._launches = []
        await super().launch_shards()
        launches, self._launches = self._launches, None
        await asyncio.gather(*(self.launch_shard(gateway, shard_id) for gateway, shard_id in launches))

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard once it may identify: a connection that waits for that would time out."""
        if self._launches is not None:
            self._launches.append((gateway, shard_id))
            return
        self._admitted.add(shard_id)
        await self._identify_gate.wait(shard_id, self.shard_count or 1)
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def wait_for_session(self, shard_id: int) -> None:
        """Wait until a shard may identify that has lost its session."""
        self._admitted.discard(shard_id)
        await asyncio.sleep(min(self._pauses[shard_id].delay(), _LONGEST_PAUSE))
        try:
            await self._starts.wait_for_one(lambda: len(self._admitted))
        except (*NETWORK_ERRORS, discord.DiscordException) as fault:
            # What Discord does not tell is no hindrance.
            log.debug("how many sessions may be begun is not known: %s", fault)
        self._admitted.add(shard_id)
        await self._identify_gate.wait(shard_id, self.shard_count or 1)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Let a shard identify at once: it has waited before it connected."""
        self._admitted.discard(shard_id or 0)

    def latencies_by_shard(self) -> dict[int, float | None]:
        """Return the seconds of each shard's last heartbeat, None if it is not connected; empty before the start."""
        if not self.is_ready():
            return {}
        return {number: None if shard.is_closed() else shard.latency for number, shard in self.shards.items()}
