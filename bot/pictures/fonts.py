"""The one font: that of Pillow itself, so that a picture looks the same on every machine."""

from dataclasses import dataclass
from functools import cache, lru_cache
from math import ceil, floor
from typing import cast

from PIL import Image, ImageDraw, ImageFont
from PIL.ImageFont import FreeTypeFont

from bot.rules.picture import Align, ColourRole, Label, Rect

_MISSING_GLYPH = "\N{SNOWMAN}"
"""A sign that the font lacks: what is drawn for it stands for all others it lacks."""


@cache
def font_of(size: int) -> FreeTypeFont:
    """Return the font at a size in pixels."""
    return cast(FreeTypeFont, ImageFont.load_default(size))


@cache
def capital_height(size: int) -> int:
    """Return how high a capital or a digit is."""
    _, top, _, bottom = font_of(size).getbbox("H", anchor="ls")
    return round(bottom - top)


@dataclass(frozen=True, slots=True)
class TextLayout:
    """How a label is written: where its line begins, ends or has its middle, and in what font."""

    start: tuple[float, int]
    anchor: str
    font: FreeTypeFont
    stroke: float
    """By how much its strokes are widened: the font has no bold cut of its own."""


def text_layout_of(label: Label) -> TextLayout:
    """Return how a label is written: capitals and digits stand half-way down its room."""
    at, stroke = label.at, label.size / 56 if label.bold else 0.0
    x, anchor = {
        Align.LEFT: (at.x + stroke, "ls"),
        Align.CENTRE: (at.x + at.width / 2, "ms"),
        Align.RIGHT: (at.right - stroke, "rs"),
    }[label.align]
    baseline = at.y + (at.height + capital_height(label.size)) // 2
    return TextLayout((x, baseline), anchor, font_of(label.size), stroke)


def text_bounds_of(label: Label) -> Rect:
    """Return the part of the picture that a label covers."""
    script = text_layout_of(label)
    left, top, right, bottom = script.font.getbbox(label.text, anchor=script.anchor, stroke_width=script.stroke)
    x, y = floor(left + script.start[0]), floor(top + script.start[1])
    return Rect(x, y, ceil(right + script.start[0]) - x, ceil(bottom + script.start[1]) - y)


@dataclass(frozen=True, slots=True)
class TextMask:
    """A label as it is written: a mask, and where it lies as seen from the corner of the label's room."""

    mask: Image.Image
    left: int
    top: int


def text_mask_of(label: Label) -> TextMask:
    """Return a label as it is written; the same words are written once."""
    return _render_text(label.text, (label.at.width, label.at.height), label.size, label.align, bold=label.bold)


@lru_cache(maxsize=1024)
def _render_text(text: str, room: tuple[int, int], size: int, align: Align, *, bold: bool) -> TextMask:
    label = Label(text, Rect(0, 0, *room), ColourRole.TEXT, size, align, bold)
    extent, script = text_bounds_of(label), text_layout_of(label)
    mask = Image.new("L", (extent.width, extent.height))
    start = (script.start[0] - extent.x, script.start[1] - extent.y)
    pen = ImageDraw.Draw(mask)
    pen.text(start, text, 255, script.font, script.anchor, stroke_width=script.stroke)
    return TextMask(mask, extent.x, extent.y)


@cache
def has_glyph(sign: str) -> bool:
    """Tell whether the font knows a sign."""
    font = font_of(32)
    return sign == " " or bytes(font.getmask(sign)) != bytes(font.getmask(_MISSING_GLYPH))
