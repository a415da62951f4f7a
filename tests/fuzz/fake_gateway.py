"""A gateway connection of discord.py without Discord at its other end."""

import json
from collections import deque
from typing import Any

import aiohttp
import discord
import pytest
from discord.gateway import DiscordWebSocket


class FakeGateway:
    """The websocket below a connection of discord.py, which passes on events when told to."""

    closed = False
    connection: DiscordWebSocket

    def __init__(self) -> None:
        # The connection reads a message before it identifies itself.
        self._incoming: deque[dict[str, object]] = deque([_message(DiscordWebSocket.HEARTBEAT_ACK)])

    async def receive_event(self, name: str, data: object) -> None:
        """Let the client receive an event."""
        self._incoming.append(_message(DiscordWebSocket.DISPATCH, name, data))
        await self.connection.poll_event()

    async def receive(self, timeout: float | None = None) -> aiohttp.WSMessage:  # noqa: ASYNC109 - aiohttp's parameter
        return aiohttp.WSMessage(aiohttp.WSMsgType.TEXT, json.dumps(self._incoming.popleft()), None)

    async def send_str(self, _data: str) -> None:
        """Ignore what the bot says."""


def _message(op: int, name: str | None = None, data: object = None) -> dict[str, object]:
    return {"op": op, "t": name, "s": None, "d": data}


async def connect_gateway(client: discord.Client, patch: pytest.MonkeyPatch) -> FakeGateway:
    """Connect a client to a gateway."""
    gateway = FakeGateway()

    async def ws_connect(_url: str) -> Any:
        return gateway

    patch.setattr(client.http, "ws_connect", ws_connect)
    gateway.connection = await DiscordWebSocket.from_client(client, initial=True, shard_id=0)
    return gateway
