"""PNG files in bands: a band is pressed by itself, so that a file is put together of bands that were pressed before."""

import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from isal import isal_zlib

from bot.pictures.palette_image import PaletteImage
from bot.pictures.themes import palette_colours
from bot.rules.picture import Theme

_COMPRESSION_LEVEL = 1
"""How hard the file is pressed: 0 takes two thirds of the time and makes it larger by half, 2 saves nothing more."""

FILTER_BYTE_WIDTH: Final = 1
"""How many zeros each line begins with: they say that it stands there as it is."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_BIT_DEPTH, _PALETTE_COLOUR_TYPE = 8, 3
_ZLIB_HEADER = b"\x78\x01"
_FINAL_BLOCK = b"\x03\x00"
"""The block that ends what is pressed: the last one, and empty."""

_ADLER_MODULUS = 65521


class Band(NamedTuple):
    """Some lines of a picture, as they stand in a file."""

    chunk: bytes
    """A piece of the file that can follow any other band."""
    length: int
    """How many bytes they are before they are pressed."""
    checksum: int


def encode_bands(strip: PaletteImage, height: int) -> Iterator[Band]:
    """Press the lines of a strip, which has its margin, in bands of so many."""
    press = isal_zlib.compressobj(_COMPRESSION_LEVEL, isal_zlib.DEFLATED, -isal_zlib.MAX_WBITS)
    return (_compress_band(press, lines) for lines in strip.split_bands(height))


def _compress_band(press: isal_zlib.Compress, lines: bytes) -> Band:
    # A full flush ends at a whole byte, and what follows does not look back beyond it.
    data = press.compress(lines) + press.flush(isal_zlib.Z_FULL_FLUSH)
    return Band(_make_chunk(b"IDAT", data), len(lines), isal_zlib.adler32(lines))


def assemble_png(size: tuple[int, int], bands: Sequence[Band], theme: Theme) -> bytes:
    """Put a file together of bands that are all of its lines."""
    ending = _make_chunk(b"IDAT", _FINAL_BLOCK + struct.pack(">I", _checksum(bands)))
    return b"".join((_png_head(size, theme), *[band.chunk for band in bands], ending, _END_CHUNK))


def _checksum(bands: Iterable[Band]) -> int:
    """Return the checksum of all lines (Adler-32: RFC 1950, section 8.2)."""
    low, high = 1, 0
    for _, length, checksum in bands:
        high = (high + (checksum >> 16) + length * (low - 1)) % _ADLER_MODULUS
        low = (low + (checksum & 0xFFFF) - 1) % _ADLER_MODULUS
    return high << 16 | low


@lru_cache(maxsize=64)
def _png_head(size: tuple[int, int], theme: Theme) -> bytes:
    header = struct.pack(">IIBBBBB", *size, _BIT_DEPTH, _PALETTE_COLOUR_TYPE, 0, 0, 0)
    colours = bytes(part for colour in palette_colours(theme) for part in colour)
    return b"".join(
        (_SIGNATURE, _make_chunk(b"IHDR", header), _make_chunk(b"PLTE", colours), _make_chunk(b"IDAT", _ZLIB_HEADER)),
    )


def _make_chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", isal_zlib.crc32(data, isal_zlib.crc32(kind)))


_END_CHUNK: Final = _make_chunk(b"IEND", b"")
