"""A gateway connection that survives what it can't read.

By itself, discord.py ends the whole client at a frame that can't be read, and at a new connection that is closed before
it has begun.
"""

import asyncio
import logging
import traceback
from typing import Any, Final, Self

import aiohttp
import discord
import discord.shard
from discord.gateway import DiscordWebSocket, ReconnectWebSocket

log = logging.getLogger(__name__)

RESUME_PAUSE_SECONDS: Final = 1.0
"""How long to wait before another attempt to resume a session, if the gateway has closed the connection at once."""

_RESUMABLE: Final = 4000
"""A close code after which the session can be resumed."""

_FAILED_CONNECTION: Final = (ReconnectWebSocket, discord.ConnectionClosed, aiohttp.ClientError, OSError)
"""What discord.py itself answers with a new connection."""


class UnreadableGateway(aiohttp.ClientError):
    """The gateway did not begin a connection as it should; discord.py waits a while, and then makes another one."""


class GatewaySocket(DiscordWebSocket):
    """Loses a frame that can't be read, and has the connection made anew."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse, *, loop: asyncio.AbstractEventLoop) -> None:
        super().__init__(socket, loop=loop)
        self._has_events = False
        """Whether any event of this connection could be read."""

    @classmethod
    async def from_client(cls, client: discord.Client, *, resume: bool = False, **options: Any) -> Self:
        """Connect; a gateway that breaks off before it has begun is asked again later."""
        try:
            return await super().from_client(client, resume=resume, **options)
        except ReconnectWebSocket as fault:
            if not resume:
                raise UnreadableGateway("the gateway has closed a connection before it began") from fault
            await asyncio.sleep(RESUME_PAUSE_SECONDS)
            raise

    async def received_message(self, msg: Any, /) -> None:
        """Handle a frame. If it can't be read, resume the session, or begin another if that has not helped."""
        before = self.sequence
        try:
            await super().received_message(msg)
        except _FAILED_CONNECTION:
            raise
        except Exception as fault:  # noqa: BLE001 - whatever can't be read
            log.warning(
                "shard %s reconnects: the gateway sent a frame that can't be read (%s)",
                self.shard_id,
                describe_place(fault),
            )
            await self.close(_RESUMABLE)
            if self._has_events:
                raise ReconnectWebSocket(self.shard_id) from None
            # Resumed or new, this would come again at once.
            raise UnreadableGateway("the first event of a connection can't be read") from None
        self._has_events = self._has_events or self.sequence != before


def describe_place(fault: Exception) -> str:
    """Return what kind of fault it is and where it arose; its message may tell what people have written."""
    frames = traceback.extract_tb(fault.__traceback__)
    place = f" in {frames[-1].name}" if frames else ""
    return f"{type(fault).__name__}{place}"


def use_gateway_socket() -> None:
    """Let shards connect with this class: discord.py takes it by its name only."""
    setattr(discord.shard, DiscordWebSocket.__name__, GatewaySocket)
