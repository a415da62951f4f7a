"""A client's connection to the gateway, and its session, which outlives the connection."""

from __future__ import annotations

import asyncio
import secrets
import zlib
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import IntEnum, IntFlag
from importlib import import_module
from typing import Any, Final, TypeAlias

from aiohttp import WSCloseCode, web

from bot.sandbox.wire import Json, encode

Compress: TypeAlias = Callable[[bytes], bytes]

_FASTEST: Final = 1


def _make_zlib() -> Compress:
    stream = zlib.compressobj(level=_FASTEST)
    return lambda message: stream.compress(message) + stream.flush(zlib.Z_SYNC_FLUSH)


def _make_builtin_zstd() -> Compress:
    zstd = import_module("compression.zstd")
    stream, mode = zstd.ZstdCompressor(level=_FASTEST), zstd.ZstdCompressor.FLUSH_BLOCK
    return lambda message: bytes(stream.compress(message, mode=mode))


def _make_zstandard() -> Compress:
    zstandard = import_module("zstandard")
    stream: Any = zstandard.ZstdCompressor(level=_FASTEST).compressobj()
    return lambda message: bytes(stream.compress(message) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK))


def make_compress(name: str) -> Compress | None:
    """Begin a stream with the compression that a client asks for; return None if it is not known here.

    discord.py asks for Zstandard where it finds it: in the package `zstandard`, or in Python from 3.14 on.
    """
    for known, make in (
        ("zlib-stream", _make_zlib),
        ("zstd-stream", _make_builtin_zstd),
        ("zstd-stream", _make_zstandard),
    ):
        if known == name:
            try:
                return make()
            except ImportError:
                continue
    return None


MAX_REPLAYED_EVENTS = 250
"""Events that are kept for a client that resumes."""


class Opcode(IntEnum):
    """Gateway opcodes."""

    DISPATCH = 0
    HEARTBEAT = 1
    IDENTIFY = 2
    RESUME = 6
    RECONNECT = 7
    INVALID_SESSION = 9
    HELLO = 10
    HEARTBEAT_ACK = 11


class CloseCode(IntEnum):
    """Gateway close codes."""

    UNKNOWN_ERROR = 4000
    DECODE_ERROR = 4002
    NOT_AUTHENTICATED = 4003
    AUTHENTICATION_FAILED = 4004
    ALREADY_AUTHENTICATED = 4005
    INVALID_SHARD = 4010


class Intents(IntFlag):
    """Gateway intents that the sandbox knows."""

    GUILDS = 1 << 0


@dataclass(slots=True)
class StartLimit:
    """How many sessions the bot may begin until the limit is renewed."""

    total: int = 1000
    remaining: int = 1000
    reset_after_ms: int = 0

    def payload(self, max_concurrency: int) -> Json:
        """Return it in Discord's format."""
        return {
            "total": self.total,
            "remaining": self.remaining,
            "reset_after": self.reset_after_ms,
            "max_concurrency": max_concurrency,
        }


class Connection:
    """An open websocket; frames are sent in order."""

    def __init__(
        self, socket: web.WebSocketResponse, compress: Compress | None, rewrite: Callable[[str], str] = str
    ) -> None:
        self._socket = socket
        self._compress = compress
        self._rewrite = rewrite
        self._outgoing: asyncio.Queue[str | bytes | None] = asyncio.Queue()
        self._close_code = int(WSCloseCode.OK)
        self.is_closing = False

    @property
    def queued_count(self) -> int:
        """The number of frames that the client has not read yet."""
        return self._outgoing.qsize()

    def send(self, frame: Json) -> None:
        """Send a frame."""
        self.send_text(encode(frame))

    def send_text(self, text: str) -> None:
        """Send a frame that is already encoded."""
        self._outgoing.put_nowait(self._rewrite(text))

    def send_bytes(self, frame: bytes) -> None:
        """Send a frame as it is, without compressing it."""
        self._outgoing.put_nowait(frame)

    def close(self, code: int) -> None:
        """Close the connection after the queued frames."""
        self.is_closing = True
        self._close_code = code
        self._outgoing.put_nowait(None)

    async def send_queued(self) -> None:
        """Write queued frames to the socket until it is closed."""
        with suppress(ConnectionError):
            while (frame := await self._outgoing.get()) is not None:
                if isinstance(frame, bytes):
                    await self._socket.send_bytes(frame)
                elif self._compress is None:
                    await self._socket.send_str(frame)
                else:
                    await self._socket.send_bytes(self._compress(frame.encode()))
        await self._socket.close(code=self._close_code)


class Session:
    """The session of a client, which outlives its connection."""

    def __init__(self, intents: int, shard: tuple[int, int]) -> None:
        self.id = secrets.token_hex(16)
        self.intents = intents
        self.shard = shard
        self.sequence = 0
        self.connection: Connection | None = None
        self._sent: deque[tuple[int, str]] = deque(maxlen=MAX_REPLAYED_EVENTS)

    def serves(self, server_id: int | None) -> bool:
        """Whether this session's shard gets the events of a server, or of direct messages (None)."""
        number, count = self.shard
        return ((server_id or 0) >> 22) % count == number

    def wants(self, intent: Intents | None) -> bool:
        """Whether the client has this intent."""
        return intent is None or bool(self.intents & intent)

    def dispatch(self, event: str, data: Json) -> None:
        """Send an event, or keep it until the client resumes."""
        self.sequence += 1
        text = encode({"op": Opcode.DISPATCH, "t": event, "s": self.sequence, "d": data})
        self._sent.append((self.sequence, text))
        if self.connection is not None:
            self.connection.send_text(text)

    def can_replay(self, after: int) -> bool:
        """Whether all events after a sequence number are still kept."""
        oldest = self._sent[0][0] if self._sent else self.sequence + 1
        return oldest - 1 <= after <= self.sequence

    def replay(self, after: int) -> None:
        """Send the events after a sequence number again."""
        if self.connection is not None:
            for sequence, text in self._sent:
                if sequence > after:
                    self.connection.send_text(text)
