"""The fonts of pictures: FiraGO from a package, so that they look the same on every machine.

It has Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai and Georgian letters. Pillow lays them out with raqm,
which knows the direction of scripts and how letters join.
"""

from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from math import ceil, floor
from typing import cast
from unicodedata import category, normalize

import pymupdf_fonts  # type: ignore[import-untyped]  # it has no types
from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from bot.rules.picture import Align, ColourRole, Label, Rect

_REGULAR, _BOLD = "figo", "figbo"
_MISSING_GLYPH = "\N{SNOWMAN}"
"""A character that the font lacks; others that it lacks are drawn the same."""

_JOINERS = "\N{ZERO WIDTH NON-JOINER}\N{ZERO WIDTH JOINER}"
"""They decide how letters join in Arabic and Indian scripts."""

_CONTROLS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})

_OVERHANG = 1
"""By how many pixels some letters reach beyond their text."""


# 25 ms, once for each cut.
@cache
def _font_file(name: str) -> bytes:
    return cast(bytes, pymupdf_fonts.myfont(name))


# 50 us for each new text.
@cache
def font_of(size: int, *, bold: bool = False) -> FreeTypeFont:
    """Return the font at a size in pixels."""
    return ImageFont.truetype(BytesIO(_font_file(_BOLD if bold else _REGULAR)), size)


def capital_height(size: int) -> int:
    """Return the height of capitals and digits."""
    _, top, _, bottom = font_of(size).getbbox("H")
    return round(bottom - top)


@dataclass(frozen=True, slots=True)
class TextLayout:
    """How to draw the text of a label."""

    start: tuple[float, int]
    anchor: str
    font: FreeTypeFont


def text_layout_of(label: Label) -> TextLayout:
    """Return the layout that centres capitals and digits vertically."""
    at = label.at
    x, anchor = {
        Align.LEFT: (at.x + _OVERHANG, "ls"),
        Align.CENTRE: (at.x + at.width / 2, "ms"),
        Align.RIGHT: (at.right - _OVERHANG, "rs"),
    }[label.align]
    baseline = at.y + (at.height + capital_height(label.size)) // 2
    return TextLayout((x, baseline), anchor, font_of(label.size, bold=label.bold))


def text_bounds_of(label: Label) -> Rect:
    """Return the area that a label's text covers."""
    layout = text_layout_of(label)
    left, top, right, bottom = layout.font.getbbox(label.text, anchor=layout.anchor)
    x, y = floor(left + layout.start[0]), floor(top + layout.start[1])
    return Rect(x, y, ceil(right + layout.start[0]) - x, ceil(bottom + layout.start[1]) - y)


@dataclass(frozen=True, slots=True)
class TextMask:
    """The drawn text of a label, and its position relative to the label."""

    mask: Image.Image
    left: int
    top: int


def text_mask_of(label: Label) -> TextMask:
    """Return the drawn text of a label; cached by text and size."""
    room = (label.at.width, label.at.height)
    if label.is_name:
        return _render_name(label.text, room, label.size, label.align, bold=label.bold)
    return _render_text(label.text, room, label.size, label.align, bold=label.bold)


# 0.1 ms of a picture of Magpie, 0.8 ms of those of Change and The Magic Bag.
@lru_cache(maxsize=1024)
def _render_text(text: str, room: tuple[int, int], size: int, align: Align, *, bold: bool) -> TextMask:
    label = Label(text, Rect(0, 0, *room), ColourRole.TEXT, size, align, bold)
    bounds, layout = text_bounds_of(label), text_layout_of(label)
    mask = Image.new("L", (bounds.width, bounds.height))
    start = (layout.start[0] - bounds.x, layout.start[1] - bounds.y)
    pen = ImageDraw.Draw(mask)
    pen.text(start, text, 255, layout.font, layout.anchor)
    return TextMask(mask, bounds.x, bounds.y)


# 0.2 ms for each new name.
@lru_cache(maxsize=1024)
def _render_name(name: str, room: tuple[int, int], size: int, align: Align, *, bold: bool) -> TextMask:
    """Return as much of a name as fits, cut to its area; nothing if the font lacks one of its letters."""
    text = _drawable_name(name)
    font = font_of(size, bold=bold)
    if font.getlength(text) > room[0] - 2 * _OVERHANG:
        fitting = (f"{text[:end].rstrip()}…" for end in range(len(text) - 1, 0, -1))
        text = next((short for short in fitting if font.getlength(short) <= room[0] - 2 * _OVERHANG), "")
    if not text:
        return TextMask(Image.new("L", (1, 1)), 0, 0)
    drawn = _render_text(text, room, size, align, bold=bold)
    left, top = max(0, drawn.left), max(0, drawn.top)
    right, bottom = min(room[0], drawn.left + drawn.mask.width), min(room[1], drawn.top + drawn.mask.height)
    within = (left - drawn.left, top - drawn.top, right - drawn.left, bottom - drawn.top)
    return TextMask(drawn.mask.crop(within), left, top)


def _drawable_name(name: str) -> str:
    """Return a name without symbols that the font lacks, or nothing if it lacks a letter."""
    signs = [sign for sign in normalize("NFC", name) if sign in _JOINERS or category(sign) not in _CONTROLS]
    known = [sign for sign in signs if sign in _JOINERS or has_glyph(sign)]
    is_readable = not any(category(sign)[0] in "LMN" for sign in set(signs).difference(known))
    return "".join(known).strip() if is_readable else ""


# 26 us for each character of a new name.
@lru_cache(maxsize=4096)
def has_glyph(character: str) -> bool:
    """Return whether the font has a character."""
    font = font_of(32)
    return character == " " or bytes(font.getmask(character)) != bytes(font.getmask(_MISSING_GLYPH))
