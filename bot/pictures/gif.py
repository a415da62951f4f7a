"""Joins encoded blocks to a GIF file that plays once.

Pillow can only write whole files, but blocks do not depend on where and when they are shown, so most are used again.
"""

import struct
from collections.abc import Iterable
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


class Block(NamedTuple):
    """A part of an animation."""

    at: Rect
    pixels: bytes
    """Its encoded pixels."""
    milliseconds: int
    """How long it takes until the next one."""


def encode_pixels(indices: Indices) -> bytes:
    """Return the pixels of a block, encoded."""
    height, width = indices.shape
    image = Image.frombuffer("P", (width, height), np.ascontiguousarray(indices), "raw", "P", 0, 1)
    return b"".join(GifImagePlugin.getdata(image))[_DESCRIPTOR_LENGTH:]


def encode_whole(indices: Indices, milliseconds: int) -> Block:
    """Return a block that shows everything."""
    height, width = indices.shape
    return Block(Rect(0, 0, width, height), encode_pixels(indices), milliseconds)


def encode_change(before: Indices, after: Indices, milliseconds: int) -> Block:
    """Return a block that turns one state into another of the same size."""
    changed = before != after
    lines, columns = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not lines.size:
        lines = columns = np.zeros(1, int)
    top, left, bottom, right = lines[0], columns[0], lines[-1] + 1, columns[-1] + 1
    part = (slice(top, bottom), slice(left, right))
    pixels = np.where(changed[part], after[part], np.uint8(_UNCHANGED))
    return Block(Rect(int(left), int(top), int(right - left), int(bottom - top)), encode_pixels(pixels), milliseconds)


def join_gif(size: tuple[int, int], palette: Iterable[Colour], blocks: Iterable[Block]) -> bytes:
    """Return a GIF file of some blocks, which lacks the extension that would repeat it."""
    colours = bytes(part for colour in palette for part in colour).ljust(3 * (MAX_COLOURS + 1), b"\0")
    parts = [b"GIF89a", struct.pack("<HHBBB", *size, 0b1_111_0_111, 0, 0), colours]
    for at, pixels, milliseconds in blocks:
        parts.append(struct.pack("<BBBBHBB", 0x21, 0xF9, 4, _KEEP, milliseconds // 10, _UNCHANGED, 0))
        parts += (struct.pack("<BHHHHB", 0x2C, *at, 0), pixels)
    return b"".join((*parts, b";"))
