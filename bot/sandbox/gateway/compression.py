"""The compression of a connection: each message is a part of one stream, and can be read once it has arrived."""

import sys
import zlib
from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

Compress: TypeAlias = Callable[[bytes], bytes]

_FASTEST: Final = 1


def _make_zlib() -> Compress:
    stream = zlib.compressobj(level=_FASTEST)
    return lambda message: stream.compress(message) + stream.flush(zlib.Z_SYNC_FLUSH)


if sys.version_info >= (3, 14):
    from compression import zstd

    def _make_zstd() -> Compress:
        stream = zstd.ZstdCompressor(level=_FASTEST)
        return lambda message: stream.compress(message, mode=zstd.ZstdCompressor.FLUSH_BLOCK)

else:
    import zstandard

    def _make_zstd() -> Compress:
        stream = zstandard.ZstdCompressor(level=_FASTEST).compressobj()
        return lambda message: stream.compress(message) + stream.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK)


MAKE_COMPRESS: Final[Mapping[str, Callable[[], Compress]]] = {"zlib-stream": _make_zlib, "zstd-stream": _make_zstd}
"""What begins a stream, by the name that clients ask for."""
