"""Joins encoded blocks to a GIF file that plays once, and counts the frames of a file.

Pillow can only write whole files, but blocks do not depend on where and when they are shown, so most are used again.
Strips of a block, encoded by themselves, can also follow one another as if they had been encoded together: each ends
with codes that clear the table, as many as it takes to fill its last byte.
"""

import struct
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from io import BytesIO
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

_TAIL: Final = 8
"""The last bytes of a strip, in which the code at its end is."""

_CELL_HEIGHT: Final = 4
"""How many lines are compared as a whole."""

_LEAST_GAP: Final = 5
"""A larger difference between the numbers of changed rows leaves unchanged ones that are not encoded with them."""

_LEAST_SAVED: Final = 20_000
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
    kept = max(len(codes) - _TAIL, 0)
    value = int.from_bytes(codes[kept:], "little")
    at = value.bit_length() - _LEAST_BITS
    value ^= (_CLEAR ^ _END) << at
    at += _width_after(8 * kept + at - _LEAST_BITS)
    while at % 8:
        value |= _CLEAR << at
        at += _LEAST_BITS
    return codes[:kept] + value.to_bytes(at // 8, "little")


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


class Part(NamedTuple):
    """A part of a picture that changes."""

    area: Rect
    strips: tuple[tuple[int, int], ...]
    """The lines in it that change: the first of each strip, and the one after its last."""


def encode_change(before: Indices, after: Indices, milliseconds: int) -> Sequence[Block]:
    """Return the one or two blocks that turn a state into another of the same size, and take so long together."""
    return encode_parts(before, after, find_parts(before, after), milliseconds)


def find_parts(before: Indices, after: Indices, areas: Iterable[Rect] = ()) -> Sequence[Part]:
    """Return the one or two parts in which two states differ, with some areas that may differ in other states."""
    wide = next(kind for kind in (np.uint64, np.uint8) if before.shape[1] % kind().itemsize == 0)
    height, width = _CELL_HEIGHT, wide().itemsize
    changed = np.pad(before.view(wide) != after.view(wide), ((0, -len(before) % height), (0, 0)))
    cells: NDArray[np.bool_] = np.logical_or.reduce(changed.reshape(-1, height, changed.shape[1]), axis=1)
    for area in areas:
        cells[area.y // height : -(-area.bottom // height), area.x // width : -(-area.right // width)] = True
    sides = _cut(cells, _LEAST_SAVED // (height * width))
    return [_make_part(rows, left * width, right * width, len(before)) for rows, left, right in sides]


def _make_part(rows: NDArray[np.intp], left: int, right: int, height: int) -> Part:
    """Return a part that consists of some rows of cells."""
    gaps = np.flatnonzero(np.diff(rows) > _LEAST_GAP)
    begins = (rows[np.concatenate(([0], gaps + 1))] * _CELL_HEIGHT).tolist()
    ends = np.minimum((rows[np.concatenate((gaps, [-1]))] + 1) * _CELL_HEIGHT, height).tolist()
    return Part(Rect(left, begins[0], right - left, ends[-1] - begins[0]), tuple(zip(begins, ends, strict=True)))


def _cut(changed: NDArray[np.bool_], least_saved: int) -> Iterator[tuple[NDArray[np.intp], int, int]]:
    """Yield the rows and columns on both sides of the straight cut that leaves out most of what is unchanged.

    Args:
        changed: Which cells have changed, by row and column; none has: the first one.
        least_saved: How many unchanged cells a cut must leave out.
    """
    rows, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not rows.size:
        rows, columns, changed = np.zeros(1, np.intp), np.zeros(1, np.intp), np.ones((1, 1), np.bool_)
    cells = changed[rows]
    first, after = cells.argmax(axis=1), changed.shape[1] - cells[:, ::-1].argmax(axis=1)
    # What both sides take if the cut is above each row, and what they take if it is left of each column.
    reach, reach_back = (
        np.maximum.accumulate(ends)[:-1] - np.minimum.accumulate(begins)[:-1]
        for begins, ends in ((first, after), (first[::-1], after[::-1]))
    )
    count = np.arange(1, rows.size)
    above = count * reach + (count * reach_back)[::-1]
    begins, ends = columns[1:], columns[:-1] + 1
    left = np.searchsorted(np.sort(first), begins) * (ends - columns[0])
    right = (rows.size - np.searchsorted(np.sort(after), begins, "right")) * (columns[-1] + 1 - begins)
    whole = rows.size * (columns[-1] + 1 - columns[0])
    best = int(np.concatenate(([whole - least_saved], above, left + right)).argmin())
    if not best:
        sides = [(rows, columns[0], columns[-1] + 1)]
    elif best < rows.size:
        sides = [(rows[side], first[side].min(), after[side].max()) for side in (slice(best), slice(best, None))]
    else:
        begin, end = begins[best - rows.size], ends[best - rows.size]
        sides = [(rows[first < begin], columns[0], end), (rows[after > begin], begin, columns[-1] + 1)]
    return ((changed_rows, int(left), int(right)) for changed_rows, left, right in sides)


def encode_parts(before: Indices, after: Indices, parts: Sequence[Part], milliseconds: int) -> Sequence[Block]:
    """Return the blocks that turn parts of a state into those of another, and take so long together."""
    times = [*[_SHORTEST_MILLISECONDS] * (len(parts) - 1), milliseconds - _SHORTEST_MILLISECONDS * (len(parts) - 1)]
    return [
        Block(part.area, join_strips(_strips_of(before, after, part)), time)
        for part, time in zip(parts, times, strict=True)
    ]


def _strips_of(before: Indices, after: Indices, part: Part) -> Iterator[bytes]:
    """Yield the strips of a part of a change."""
    reached = part.area.y
    for begin, end in part.strips:
        yield from _unchanged((begin - reached) * part.area.width)
        area = slice(begin, end), slice(part.area.x, part.area.right)
        # In place: a new array of this size takes longer than what is done to it.
        strip = np.equal(before[area], after[area]).view(np.uint8)
        np.negative(strip, out=strip)
        np.bitwise_or(strip, after[area], out=strip)
        yield encode_lines(strip)
        reached = end


def _unchanged(count: int) -> Iterator[bytes]:
    """Yield strips of so many unchanged pixels in all: one for each power of two, so that few are ever encoded."""
    return (_unchanged_power(exponent) for exponent in range(count.bit_length()) if count >> exponent & 1)


@lru_cache(maxsize=32)
def _unchanged_power(exponent: int) -> bytes:
    return encode_lines(np.full((1, 1 << exponent), _UNCHANGED, np.uint8))


def join_gif(size: tuple[int, int], palette: Iterable[Colour], blocks: Iterable[Block]) -> bytes:
    """Return a GIF file of some blocks, which lacks the extension that would repeat it."""
    colours = bytes(part for colour in palette for part in colour).ljust(3 * (MAX_COLOURS + 1), b"\0")
    parts = [b"GIF89a", struct.pack("<HHBBB", *size, 0b1_111_0_111, 0, 0), colours]
    for at, pixels, milliseconds in blocks:
        parts.append(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, _KEEP, milliseconds // 10, _UNCHANGED, 0))
        parts += (struct.pack("<BHHHHB", 0x2C, *at, 0), pixels)
    return b"".join((*parts, b";"))


def count_frames(data: bytes) -> int:
    """Return how many frames a picture of any kind has; 1 for a still, 0 for a file that is no picture."""
    try:
        with Image.open(BytesIO(data)) as image:
            return getattr(image, "n_frames", 1)
    except (OSError, ValueError):
        return 0
