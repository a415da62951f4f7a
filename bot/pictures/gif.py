"""Joins encoded blocks to a GIF file that plays once.

Pillow can only write whole files, but blocks do not depend on where and when they are shown, so most are used again.
Strips of a block, encoded by themselves, can also follow one another as if they had been encoded together: each ends
with codes that clear the table, as many as it takes to fill its last byte.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from bot.pictures.encoding import Indices
from bot.pictures.themes import Colour
from bot.rules.picture import Rect

MAX_COLOURS: Final = 255
"""One entry of a palette is left for pixels that stay as they are."""

_UNCHANGED: Final = MAX_COLOURS
"""Its bits are all set: any pixel combined with it becomes it."""

_KEEP: Final = 0b000_001_0_1
"""A block stays where it is, and its unchanged pixels are transparent."""

_COLOUR_BITS: Final = 8
_CLEAR, _END = 256, 257
"""The codes that clear the table and that end a block."""

_WIDTHS: Final = {9: 255, 10: 512, 11: 1024, 12: 2048}
"""How many codes have so many bits until Pillow clears the full table, which takes another code of 12 bits."""

_LEAST_BITS, _MOST_BITS = 9, 12
_FULL_BITS: Final = sum(bits * count for bits, count in _WIDTHS.items()) + _MOST_BITS
_SUB_BLOCK: Final = 255

_LEAST_GAP: Final = 6
"""So many unchanged lines are not encoded with the changed ones around them."""

_LEAST_SAVED: Final = 40_000
"""A change is cut in two if that leaves out so many unchanged pixels, of which each takes 4 ns."""

_SHORTEST_MILLISECONDS: Final = 20
"""The shortest delay that browsers keep."""


class Block(NamedTuple):
    """A part of an animation."""

    at: Rect
    pixels: bytes
    """Its encoded pixels."""
    milliseconds: int
    """How long it takes until the next one."""


def encode_lines(indices: Indices) -> bytes:
    """Return a strip of a block: the codes of some lines between cleared tables, in whole bytes."""
    height, width = indices.shape
    image = Image.frombuffer("L", (width, height), np.ascontiguousarray(indices), "raw", "L", 0, 1)
    encoded = image.tobytes("gif", "L", _COLOUR_BITS, 0)
    codes = b"".join([encoded[at + 1 : at + 1 + encoded[at]] for at in range(0, len(encoded), _SUB_BLOCK + 1)])
    # Of the code at the end, the ninth bit is the highest that is set, whatever its width; only its lowest bit
    # distinguishes it from the code that clears the table.
    value = int.from_bytes(codes, "little")
    at = value.bit_length() - _LEAST_BITS
    value ^= (_CLEAR ^ _END) << at
    at += _width_after(at - _LEAST_BITS)
    while at % 8:
        value |= _CLEAR << at
        at += _LEAST_BITS
    return value.to_bytes(at // 8, "little")


def _width_after(bits: int) -> int:
    """Return the number of bits of the code that follows codes of so many bits."""
    bits %= _FULL_BITS
    for width, count in _WIDTHS.items():
        bits -= width * count
        if bits < 0:
            return width
    return _MOST_BITS


def join_strips(strips: Iterable[bytes]) -> bytes:
    """Return the pixels of a block made of strips."""
    codes = b"".join((*strips, _END.to_bytes(2, "little")))
    parts = [codes[at : at + _SUB_BLOCK] for at in range(0, len(codes), _SUB_BLOCK)]
    return b"".join((bytes((_COLOUR_BITS,)), *[bytes((len(part),)) + part for part in parts], b"\0"))


def encode_change(before: Indices, after: Indices, milliseconds: int) -> Sequence[Block]:
    """Return the one or two blocks that turn a state into another of the same size, and take so long together."""
    wide = next(kind for kind in (np.uint64, np.uint8) if before.shape[1] % kind().itemsize == 0)
    parts = _cut(before.view(wide) != after.view(wide), wide().itemsize)
    times = [*[_SHORTEST_MILLISECONDS] * (len(parts) - 1), milliseconds - _SHORTEST_MILLISECONDS * (len(parts) - 1)]
    return [
        Block(part.area, join_strips(_strips_of(before, after, part)), time)
        for part, time in zip(parts, times, strict=True)
    ]


class _Part(NamedTuple):
    """A part of a change."""

    lines: NDArray[np.intp]
    """The lines that have changed."""
    left: int
    right: int

    @property
    def area(self) -> Rect:
        """The area from the first changed pixel to the last."""
        top, bottom = int(self.lines[0]), int(self.lines[-1]) + 1
        return Rect(self.left, top, self.right - self.left, bottom - top)


def _cut(changed: NDArray[np.bool_], step: int) -> Sequence[_Part]:
    """Return the parts of a change on both sides of the straight cut that leaves out most of what is unchanged.

    Args:
        changed: Which cells have changed, by line and column; none has: the first one.
        step: How many pixels wide a cell is.
    """
    lines, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not lines.size:
        return (_Part(np.zeros(1, np.intp), 0, step),)
    first, after = changed[lines].argmax(axis=1), changed.shape[1] - changed[lines, ::-1].argmax(axis=1)
    # What both sides take if the cut is above each line, and what they take if it is left of each column.
    reach, reach_back = (
        np.maximum.accumulate(ends)[:-1] - np.minimum.accumulate(begins)[:-1]
        for begins, ends in ((first, after), (first[::-1], after[::-1]))
    )
    count = np.arange(1, lines.size)
    rows = count * reach + (count * reach_back)[::-1]
    begins, ends = columns[1:], columns[:-1] + 1
    left = np.searchsorted(np.sort(first), begins) * (ends - columns[0])
    right = (lines.size - np.searchsorted(np.sort(after), begins, "right")) * (columns[-1] + 1 - begins)
    whole = lines.size * (columns[-1] + 1 - columns[0])
    best = int(np.concatenate(([whole - _LEAST_SAVED // step], rows, left + right)).argmin())
    if not best:
        sides = [(lines, columns[0], columns[-1] + 1)]
    elif best < lines.size:
        sides = [(lines[side], first[side].min(), after[side].max()) for side in (slice(best), slice(best, None))]
    else:
        begin, end = begins[best - lines.size], ends[best - lines.size]
        sides = [(lines[first < begin], columns[0], end), (lines[after > begin], begin, columns[-1] + 1)]
    return [_Part(changed_lines, int(left) * step, int(right) * step) for changed_lines, left, right in sides]


def _strips_of(before: Indices, after: Indices, part: _Part) -> Iterator[bytes]:
    """Yield the strips of a part of a change."""
    (left, top, width, _), lines = part.area, part.lines
    gaps = np.flatnonzero(np.diff(lines) > _LEAST_GAP)
    begins, ends = [top, *lines[gaps + 1].tolist()], [*(lines[gaps] + 1).tolist(), part.area.bottom]
    reached = top
    for begin, end in zip(begins, ends, strict=True):
        if begin > reached:
            yield _unchanged(begin - reached, width)
        area = (slice(begin, end), slice(left, part.right))
        yield encode_lines(after[area] | -(before[area] == after[area]).view(np.uint8))
        reached = end


@lru_cache(maxsize=1024)
def _unchanged(height: int, width: int) -> bytes:
    """Return a strip of unchanged lines."""
    return encode_lines(np.full((height, width), _UNCHANGED, np.uint8))


def join_gif(size: tuple[int, int], palette: Iterable[Colour], blocks: Iterable[Block]) -> bytes:
    """Return a GIF file of some blocks, which lacks the extension that would repeat it."""
    colours = bytes(part for colour in palette for part in colour).ljust(3 * (MAX_COLOURS + 1), b"\0")
    parts = [b"GIF89a", struct.pack("<HHBBB", *size, 0b1_111_0_111, 0, 0), colours]
    for at, pixels, milliseconds in blocks:
        parts.append(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, _KEEP, milliseconds // 10, _UNCHANGED, 0))
        parts += (struct.pack("<BHHHHB", 0x2C, *at, 0), pixels)
    return b"".join((*parts, b";"))
