"""Connects the shards of a bot."""

import asyncio
from typing import Any, Final

import yarl
from discord.ext import commands

from bot.ui.client.identify_gate import IdentifyGate

SERVERS_SECONDS: Final = 2.0
"""How long Discord must name no further server before a shard counts as ready; discord.py's default."""


class ShardedBot(commands.AutoShardedBot):
    """A bot whose shards connect at the same time, each once it may identify."""

    def __init__(self, identify_gate: IdentifyGate, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, guild_ready_timeout=SERVERS_SECONDS, **options)
        self._identify_gate = identify_gate
        self._admitted = set[int]()
        """Shards that the gate lets identify."""
        self._launches: list[tuple[yarl.URL, int]] | None = None
        """The shards to be launched together; None if each is launched at once."""

    async def launch_shards(self) -> None:
        """Connect all shards at the same time, where discord.py connects one after another."""
        if self.is_closed():
            return
        recommended, _, start = await self.http.get_bot_gateway()
        self._identify_gate.max_concurrency = start["max_concurrency"]
        self.shard_count = self.shard_count or recommended
        self._launches = []
        await super().launch_shards()
        launches, self._launches = self._launches, None
        await asyncio.gather(*(self.launch_shard(gateway, shard_id) for gateway, shard_id in launches))

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Connect a shard once it may identify: a connection that waits for that would time out."""
        if self._launches is not None:
            self._launches.append((gateway, shard_id))
            return
        await self._identify_gate.wait(shard_id, self.shard_count or 1)
        self._admitted.add(shard_id)
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Wait until a shard may identify that has lost its session."""
        number = shard_id or 0
        if number in self._admitted:
            self._admitted.remove(number)
        else:
            await self._identify_gate.wait(number, self.shard_count or 1)

    def latencies_by_shard(self) -> dict[int, float | None]:
        """Return the seconds of each shard's last heartbeat, None if it is not connected; empty before the start."""
        if not self.is_ready():
            return {}
        return {number: None if shard.is_closed() else shard.latency for number, shard in self.shards.items()}
