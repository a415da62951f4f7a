"""A gateway connection of discord.py without Discord at its other end."""

import json
from collections import deque
from typing import Any

import aiohttp
import discord
import pytest
from discord.gateway import DiscordWebSocket


class _Socket:
    """The websocket below discord.py's connection."""

    closed = False

    def __init__(self) -> None:
        self._incoming: deque[dict[str, object]] = deque()
        # The connection reads a message before it identifies itself.
        self.add(op=DiscordWebSocket.HEARTBEAT_ACK)

    def add(self, *, op: int, name: str | None = None, data: object = None) -> None:
        """Let the client receive a message next."""
        self._incoming.append({"op": op, "t": name, "s": None, "d": data})

    async def receive(self, timeout: float | None = None) -> aiohttp.WSMessage:  # noqa: ASYNC109 - aiohttp's parameter
        return aiohttp.WSMessage(aiohttp.WSMsgType.TEXT, json.dumps(self._incoming.popleft()), None)

    async def send_str(self, _data: str) -> None:
        """Ignore what the bot says."""


class FakeGateway:
    """Passes events to a client as its gateway connection would."""

    def __init__(self, socket: _Socket, connection: DiscordWebSocket) -> None:
        self._socket = socket
        self._connection = connection

    async def receive_event(self, name: str, data: object) -> None:
        """Let the client receive an event."""
        self._socket.add(op=DiscordWebSocket.DISPATCH, name=name, data=data)
        await self._connection.poll_event()


async def connect_gateway(client: discord.Client, patch: pytest.MonkeyPatch) -> FakeGateway:
    """Connect a client to a gateway."""
    socket = _Socket()

    async def ws_connect(_url: str) -> Any:
        return socket

    patch.setattr(client.http, "ws_connect", ws_connect)
    return FakeGateway(socket, await DiscordWebSocket.from_client(client, initial=True, shard_id=0))
