"""A shard that comes back by itself.

By itself, discord.py makes one connection after another anew, so a shard that has to wait keeps all others from coming
back while their sessions can still be resumed.
"""

import asyncio
from collections.abc import Callable
from typing import Any, Protocol, runtime_checkable

import discord
import discord.shard
from discord.gateway import DiscordWebSocket, ReconnectWebSocket
from discord.shard import EventItem, EventType, Shard


@runtime_checkable
class PacesSessions(Protocol):
    """A client that tells when its shards may begin sessions."""

    async def wait_for_session(self, shard_id: int) -> None:
        """Wait until a shard may begin a session in place of a lost one."""


class IndependentShard(Shard):
    """Connects in a task of its own, and begins a session only when the client lets it."""

    def __init__(
        self, ws: DiscordWebSocket, client: discord.AutoShardedClient, queue_put: Callable[[EventItem], None]
    ) -> None:
        super().__init__(ws, client, queue_put)
        self._bot = client
        self._report = queue_put
        self._connecting: asyncio.Task[None] | None = None

    async def reidentify(self, exc: ReconnectWebSocket) -> None:
        """Start to resume the session, or to begin another one."""
        self._start(super().reidentify, exc, begins=not exc.resume)

    async def reconnect(self) -> None:
        """Start to begin another session."""
        self._start(super().reconnect, begins=True)

    async def close(self) -> None:
        """Disconnect, and connect no more."""
        if self._connecting is not None:
            self._connecting.cancel()
        await super().close()

    def _start(self, connect: Any, *arguments: Any, begins: bool) -> None:
        self._connecting = asyncio.create_task(self._connect(connect, *arguments, begins=begins))

    async def _connect(self, connect: Any, *arguments: Any, begins: bool) -> None:
        try:
            if begins and isinstance(self._bot, PacesSessions):
                await self._bot.wait_for_session(self.id)
            if not self._bot.is_closed():
                await connect(*arguments)
        except Exception as fault:  # noqa: BLE001 - the client ends with it
            self._report(EventItem(EventType.terminate, self, fault))


def use_independent_shards() -> None:
    """Let clients connect with these shards: discord.py takes the class by its name only."""
    setattr(discord.shard, Shard.__name__, IndependentShard)
