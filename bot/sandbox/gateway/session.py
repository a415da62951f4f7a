"""One client of the gateway: its connection, and what is kept for it while the connection is broken."""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections import deque
from contextlib import suppress
from enum import IntEnum, IntFlag

from aiohttp import WSCloseCode, web

from bot.sandbox.wire import Json, encode

MAX_REPLAYED_EVENTS = 250
"""So many events are kept for a client that comes back."""


class Opcode(IntEnum):
    """What a frame is."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    RECONNECT = 7
    REQUEST_MEMBERS = 8
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class CloseCode(IntEnum):
    """Why the gateway hangs up."""

    UNKNOWN_ERROR = 4000
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SHARD = 4010


class Intents(IntFlag):
    """The groups of events a client asks for."""

    GUILDS = 1 << 0
    GUILD_MEMBERS = 1 << 1
    GUILD_MESSAGES = 1 << 9
    DIRECT_MESSAGES = 1 << 12
    MESSAGE_CONTENT = 1 << 15


class Connection:
    """One open websocket; frames go out in the order they were given."""

    def __init__(self, socket: web.WebSocketResponse, *, compress: bool) -> None:
        self._socket = socket
        self._compressor = zlib.compressobj(level=1) if compress else None
        self._outgoing: asyncio.Queue[str | None] = asyncio.Queue()
        self._close_code = int(WSCloseCode.OK)
        self.is_closing = False

    def send(self, frame: Json) -> None:
        """Send a frame."""
        self.send_text(encode(frame))

    def send_text(self, text: str) -> None:
        """Send a frame that is written already."""
        self._outgoing.put_nowait(text)

    def close(self, code: int) -> None:
        """Hang up after what was sent before."""
        self.is_closing = True
        self._close_code = code
        self._outgoing.put_nowait(None)

    async def send_queued(self) -> None:
        """Carry frames to the socket until it is closed."""
        with suppress(ConnectionError):
            while (text := await self._outgoing.get()) is not None:
                if self._compressor is None:
                    await self._socket.send_str(text)
                else:
                    await self._socket.send_bytes(self._compress(text, self._compressor))
        await self._socket.close(code=self._close_code)

    def _compress(self, text: str, compressor: zlib._Compress) -> bytes:
        return compressor.compress(text.encode()) + compressor.flush(zlib.Z_SYNC_FLUSH)


class Session:
    """What the gateway knows of a client, also while its connection is broken."""

    def __init__(self, intents: int, shard: tuple[int, int]) -> None:
        self.id = secrets.token_hex(16)
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.connection: Connection | None = None
        self._sent: deque[tuple[int, str]] = deque(maxlen=MAX_REPLAYED_EVENTS)

    def serves(self, server_id: int | None) -> bool:
        """Whether the events of a server, or of direct messages, go to this client's shard."""
        number, count = self.shard
        return ((server_id or 0) >> 22) % count == number

    def wants(self, intent: Intents | None) -> bool:
        """Whether the client asked for this group of events."""
        return intent is None or bool(self.intents & intent)

    def dispatch(self, event: str, data: Json) -> None:
        """Send an event, or keep it until the client is back."""
        self.sequence += 1
        text = encode({"op": Opcode.DISPATCH, "t": event, "s": self.sequence, "d": data})
        self._sent.append((self.sequence, text))
        if self.connection is not None:
            self.connection.send_text(text)

    def can_replay(self, after: int) -> bool:
        """Whether every event after this one is still there."""
        oldest = self._sent[0][0] if self._sent else self.sequence + 1
        return oldest - 1 <= after <= self.sequence

    def replay(self, after: int) -> None:
        """Send again what the client missed."""
        if self.connection is not None:
            for sequence, text in self._sent:
                if sequence > after:
                    self.connection.send_text(text)
