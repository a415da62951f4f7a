"""PNG files in bands: a band is pressed by itself, so that a file is put together of bands that were pressed before."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from isal import isal_zlib

from bot.pictures.palette_image import Pixels
from bot.pictures.themes import file_colours
from bot.rules.picture import Theme

_EFFORT = 1
"""How hard the file is pressed: 0 takes two thirds of the time and makes it larger by half, 2 saves nothing more."""

MARGIN: Final = 1
"""How many zeros each line begins with: they say that it stands there as it is."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BITS, _PALETTE = 8, 3
_ZLIB_HEADER = b"\x78\x01"
_NOTHING_MORE = b"\x03\x00"
"""The block that ends what is pressed: the last one, and empty."""

_ADLER = 65521


class Band(NamedTuple):
    """Some lines of a picture, as they stand in a file."""

    chunk: bytes
    """A piece of the file that can follow any other band."""
    length: int
    """How many bytes they are before they are pressed."""
    checksum: int


def bands_of(strip: Pixels, height: int) -> Iterator[Band]:
    """Press the lines of a strip, which has its margin, in bands of so many."""
    press = isal_zlib.compressobj(_EFFORT, isal_zlib.DEFLATED, -isal_zlib.MAX_WBITS)
    return (_pressed(press, lines) for lines in strip.bands(height))


def _pressed(press: isal_zlib.Compress, lines: bytes) -> Band:
    # A full flush ends at a whole byte, and what follows does not look back beyond it.
    data = press.compress(lines) + press.flush(isal_zlib.Z_FULL_FLUSH)
    return Band(_chunk(b"IDAT", data), len(lines), isal_zlib.adler32(lines))


def file_of(size: tuple[int, int], bands: Sequence[Band], theme: Theme) -> bytes:
    """Put a file together of bands that are all of its lines."""
    ending = _chunk(b"IDAT", _NOTHING_MORE + struct.pack(">I", _checksum(bands)))
    return b"".join((_beginning(size, theme), *[band.chunk for band in bands], ending, _END))


def _checksum(bands: Iterable[Band]) -> int:
    """Return the checksum of all lines (Adler-32: RFC 1950, section 8.2)."""
    low, high = 1, 0
    for _, length, checksum in bands:
        high = (high + (checksum >> 16) + length * (low - 1)) % _ADLER
        low = (low + (checksum & 0xFFFF) - 1) % _ADLER
    return high << 16 | low


@lru_cache(maxsize=64)
def _beginning(size: tuple[int, int], theme: Theme) -> bytes:
    header = struct.pack(">IIBBBBB", *size, _BITS, _PALETTE, 0, 0, 0)
    colours = bytes(part for colour in file_colours(theme) for part in colour)
    return b"".join(
        (_SIGNATURE, _chunk(b"IHDR", header), _chunk(b"PLTE", colours), _chunk(b"IDAT", _ZLIB_HEADER)),
    )


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", isal_zlib.crc32(data, isal_zlib.crc32(kind)))


_END: Final = _chunk(b"IEND", b"")
