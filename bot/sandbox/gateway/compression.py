"""The compression of a connection: each message is a part of one stream, and can be read once it has arrived."""

import zlib
from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, TypeAlias

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
