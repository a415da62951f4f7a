"""Encodes PNG files in bands that are deflated independently, so that unchanged bands of other files are used again.

Pillow can only write whole files. Reusing bands, and deflating with ISA-L instead of zlib, makes most pictures two to
eight times as fast. Where ISA-L is missing, `PillowRenderer` replaces all of it.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from bot.pictures.palette_image import Indices
from bot.pictures.themes import palette_colours
from bot.rules.picture import FELT, Surface, Theme

try:
    from isal import isal_zlib
except ImportError:  # there is no wheel for the platform
    isal_zlib = None  # type: ignore[assignment]

_COMPRESSION_LEVEL = 1
"""ISA-L's level. Level 0 takes two thirds of the time but makes files half as large again; 2 saves nothing more."""

FILTER_BYTE_WIDTH: Final = 1
"""The zeros before each line: its filter type, which is none."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BIT_DEPTH, _PALETTE_COLOUR_TYPE = 8, 3
_ZLIB_HEADER = b"\x78\x01"
_FINAL_BLOCK = b"\x03\x00"
"""The empty block that ends a deflate stream."""

_ADLER_MODULUS = 65521


class Band(NamedTuple):
    """Encoded lines of a picture."""

    chunk: bytes
    """An IDAT chunk that can follow that of any other band."""
    length: int
    """Bytes before compression."""
    checksum: int


def is_available() -> bool:
    """Return whether ISA-L is installed."""
    return isal_zlib is not None


def add_filter_bytes(indices: Indices) -> Indices:
    """Return lines as they stand in a file: each after the byte that names its filter."""
    return np.pad(indices, ((0, 0), (FILTER_BYTE_WIDTH, 0)))


def encode_bands(strip: Indices, height: int) -> Iterator[Band]:
    """Encode a strip, which includes filter bytes, in bands of a number of lines."""
    deflater = isal_zlib.compressobj(_COMPRESSION_LEVEL, isal_zlib.DEFLATED, -isal_zlib.MAX_WBITS)
    return (_encode_band(deflater, strip[first : first + height]) for first in range(0, len(strip), height))


def _encode_band(deflater: "isal_zlib.Compress", lines: Indices) -> Band:
    # A full flush ends at a whole byte, and what follows does not refer to anything before it.
    data = deflater.compress(lines) + deflater.flush(isal_zlib.Z_FULL_FLUSH)
    return Band(_make_chunk(b"IDAT", data), lines.size, isal_zlib.adler32(lines))


def assemble_png(size: tuple[int, int], bands: Sequence[Band], theme: Theme, surface: Surface = FELT) -> bytes:
    """Return a PNG file made of all bands of a picture."""
    ending = _make_chunk(b"IDAT", _FINAL_BLOCK + struct.pack(">I", _checksum(bands)))
    return b"".join(
        (_png_head(size, theme, surface), *[band.chunk for band in bands], ending, _make_chunk(b"IEND", b""))
    )


def _checksum(bands: Iterable[Band]) -> int:
    """Return the checksum of all lines (Adler-32: RFC 1950, section 8.2)."""
    low, high = 1, 0
    for _, length, checksum in bands:
        high = (high + (checksum >> 16) + length * (low - 1)) % _ADLER_MODULUS
        low = (low + (checksum & 0xFFFF) - 1) % _ADLER_MODULUS
    return high << 16 | low


# 20 us of a picture, 1 % of a click with one.
@lru_cache(maxsize=64)
def _png_head(size: tuple[int, int], theme: Theme, surface: Surface) -> bytes:
    """Return everything before the bands."""
    header = struct.pack(">IIBBBBB", *size, _BIT_DEPTH, _PALETTE_COLOUR_TYPE, 0, 0, 0)
    colours = bytes(part for colour in palette_colours(theme, surface) for part in colour)
    return b"".join(
        (_SIGNATURE, _make_chunk(b"IHDR", header), _make_chunk(b"PLTE", colours), _make_chunk(b"IDAT", _ZLIB_HEADER)),
    )


def _make_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", isal_zlib.crc32(data, isal_zlib.crc32(kind)))
