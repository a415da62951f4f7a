"""The one font: that of Pillow itself, so that a picture looks the same on every machine."""

from functools import cache
from typing import cast

from PIL import ImageFont
from PIL.ImageFont import FreeTypeFont

from bot.rules.picture import Label

_UNKNOWN = "\N{SNOWMAN}"
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


def stroke_of(label: Label) -> float:
    """Return by how much the strokes of a label are widened: the font has no bold cut of its own."""
    return label.size / 40 if label.bold else 0.0


def width_of(label: Label) -> int:
    """Return how wide the text of a label is."""
    return round(font_of(label.size).getlength(label.text) + 2 * stroke_of(label))


@cache
def has_sign(sign: str) -> bool:
    """Tell whether the font knows a sign."""
    font = font_of(32)
    return sign == " " or bytes(font.getmask(sign)) != bytes(font.getmask(_UNKNOWN))
