"""Joins encoded blocks to a GIF file that plays once.

Pillow can only write whole files, but blocks do not depend on where and when they are shown, so most are used again.
Strips of a block, encoded by themselves, can also follow one another as if they had been encoded together: a code that
clears the table stands between them.
"""

import struct
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from PIL import GifImagePlugin, Image

from bot.pictures.encoding import Indices
from bot.pictures.themes import Colour
from bot.rules.picture import Rect

MAX_COLOURS: Final = 255
"""One entry of a palette is left for pixels that stay as they are."""

_UNCHANGED: Final = MAX_COLOURS
_DESCRIPTOR_LENGTH: Final = 10
"""Bytes that Pillow writes before the pixels of a block: its place and its size."""

_KEEP: Final = 0b000_001_0_1
"""A block stays where it is, and its unchanged pixels are transparent."""

_COLOUR_BITS: Final = 8
_CLEAR, _END = 256, 257
"""The codes that clear the table and that end a block. At both, pixels can begin and end."""

_WIDTHS: Final = {9: 255, 10: 512, 11: 1024, 12: 2048}
"""How many codes have so many bits until Pillow clears the full table, which takes another code of 12 bits."""

_LEAST_BITS, _MOST_BITS = 9, 12
_FULL_BITS: Final = sum(bits * count for bits, count in _WIDTHS.items()) + _MOST_BITS
_SUB_BLOCK: Final = 255

_LEAST_GAP: Final = 6
"""So many unchanged lines are not encoded with the changed ones around them."""


class Block(NamedTuple):
    """A part of an animation."""

    at: Rect
    pixels: bytes
    """Its encoded pixels."""
    milliseconds: int
    """How long it takes until the next one."""


class Codes(NamedTuple):
    """Some lines of a block as the codes that follow a cleared table."""

    value: int
    """The codes, of which the first has the lowest bits."""
    length: int
    """The number of their bits."""

    @property
    def next_width(self) -> int:
        """The number of bits of the code that follows."""
        so_far = self.length % _FULL_BITS
        for width, count in _WIDTHS.items():
            so_far -= width * count
            if so_far < 0:
                return width
        return _MOST_BITS


def encode_lines(indices: Indices) -> Codes:
    """Return the codes of some lines."""
    height, width = indices.shape
    image = Image.frombuffer("P", (width, height), np.ascontiguousarray(indices), "raw", "P", 0, 1)
    encoded = b"".join(GifImagePlugin.getdata(image))[_DESCRIPTOR_LENGTH:]
    value = int.from_bytes(b"".join(_sub_blocks_of(encoded)), "little")
    # Of the code at the end, the ninth bit is the highest that is set, whatever its width.
    end = value.bit_length() - _LEAST_BITS
    return Codes((value & ((1 << end) - 1)) >> _LEAST_BITS, end - _LEAST_BITS)


def _sub_blocks_of(encoded: bytes) -> Iterator[bytes]:
    at = 1
    while size := encoded[at]:
        yield encoded[at + 1 : at + 1 + size]
        at += 1 + size


def join_codes(strips: Iterable[Codes]) -> bytes:
    """Return the pixels of a block made of strips of lines."""
    done, rest, length, width = bytearray(), 0, 0, _LEAST_BITS
    for strip in strips:
        rest |= (_CLEAR | strip.value << width) << length
        length += width + strip.length
        whole = length // 8
        done += (rest & ((1 << 8 * whole) - 1)).to_bytes(whole, "little")
        rest, length, width = rest >> 8 * whole, length - 8 * whole, strip.next_width
    done += (rest | _END << length).to_bytes((length + width + 7) // 8, "little")
    parts = (bytes(done[at : at + _SUB_BLOCK]) for at in range(0, len(done), _SUB_BLOCK))
    return b"".join((bytes((_COLOUR_BITS,)), *[bytes((len(part),)) + part for part in parts], b"\0"))


def encode_pixels(indices: Indices) -> bytes:
    """Return the pixels of a block, encoded."""
    return join_codes((encode_lines(indices),))


def encode_change(before: Indices, after: Indices, milliseconds: int) -> Block:
    """Return a block that turns one state into another of the same size."""
    height, width = before.shape
    wide = next(kind for kind in (np.uint64, np.uint8) if width % kind().itemsize == 0)
    changed = before.view(wide) != after.view(wide)
    lines, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not lines.size:
        return Block(Rect(0, 0, width, height), join_codes((_unchanged(height, width),)), milliseconds)
    step = wide().itemsize
    left, right = int(columns[0]) * step, (int(columns[-1]) + 1) * step
    top, bottom = int(lines[0]), int(lines[-1]) + 1
    gaps = np.flatnonzero(np.diff(lines) > _LEAST_GAP)
    begins, ends = [top, *lines[gaps + 1].tolist()], [*(lines[gaps] + 1).tolist(), bottom]
    strips, reached = list[Codes](), top
    for begin, end in zip(begins, ends, strict=True):
        if begin > reached:
            strips.append(_unchanged(begin - reached, right - left))
        part = (slice(begin, end), slice(left, right))
        strips.append(encode_lines(np.where(before[part] == after[part], np.uint8(_UNCHANGED), after[part])))
        reached = end
    return Block(Rect(left, top, right - left, bottom - top), join_codes(strips), milliseconds)


@lru_cache(maxsize=1024)
def _unchanged(height: int, width: int) -> Codes:
    """Return the codes of unchanged lines."""
    return encode_lines(np.full((height, width), _UNCHANGED, np.uint8))


def join_gif(size: tuple[int, int], palette: Iterable[Colour], blocks: Iterable[Block]) -> bytes:
    """Return a GIF file of some blocks, which lacks the extension that would repeat it."""
    colours = bytes(part for colour in palette for part in colour).ljust(3 * (MAX_COLOURS + 1), b"\0")
    parts = [b"GIF89a", struct.pack("<HHBBB", *size, 0b1_111_0_111, 0, 0), colours]
    for at, pixels, milliseconds in blocks:
        parts.append(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, _KEEP, milliseconds // 10, _UNCHANGED, 0))
        parts += (struct.pack("<BHHHHB", 0x2C, *at, 0), pixels)
    return b"".join((*parts, b";"))
