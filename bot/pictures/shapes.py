"""Masks of shapes with smooth edges: round corners, rings and patterns."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import sin, tau

from PIL import Image, ImageDraw

from bot.rules.picture import Pattern

FINE = 8
"""How many times as fine the small pieces are drawn from which the smooth edges are made."""

_TILE = 24
"""The side of the square that a pattern repeats."""


@dataclass(frozen=True, slots=True)
class Corner:
    """One of the four corners of a rectangle: a quarter of a disc as a mask."""

    mask: Image.Image
    is_right: bool
    is_low: bool


@lru_cache(maxsize=256)
def corners(radius: int) -> tuple[Corner, ...]:
    """Return the corners of a rectangle that are so round."""
    fine = Image.new("L", (radius * FINE, radius * FINE))
    ImageDraw.Draw(fine).ellipse((0, 0, 2 * radius * FINE - 1, 2 * radius * FINE - 1), fill=255)
    quarter = fine.resize((radius, radius), Image.Resampling.BOX)
    return (
        Corner(quarter, is_right=False, is_low=False),
        Corner(quarter.transpose(Image.Transpose.FLIP_LEFT_RIGHT), is_right=True, is_low=False),
        Corner(quarter.transpose(Image.Transpose.FLIP_TOP_BOTTOM), is_right=False, is_low=True),
        Corner(quarter.transpose(Image.Transpose.ROTATE_180), is_right=True, is_low=True),
    )


@lru_cache(maxsize=128)
def plate(width: int, height: int, radius: int) -> Image.Image:
    """Return a rectangle with round corners as a mask."""
    mask = Image.new("L", (width, height), 255)
    for corner in corners(radius) if radius else ():
        x = width - radius if corner.is_right else 0
        y = height - radius if corner.is_low else 0
        mask.paste(corner.mask, (x, y))
    return mask


@lru_cache(maxsize=128)
def ring(width: int, height: int, radius: int, thick: int) -> Image.Image:
    """Return the edge of such a rectangle as a mask."""
    mask = plate(width, height, radius).copy()
    within = plate(width - 2 * thick, height - 2 * thick, max(0, radius - thick))
    mask.paste(0, (thick, thick), within)
    return mask


@lru_cache(maxsize=128)
def patterned(width: int, height: int, radius: int, pattern: Pattern) -> Image.Image:
    """Return the part of such a rectangle that a pattern covers as a mask."""
    mask = Image.new("L", (width, height))
    tile = _tile(pattern)
    for x, y in product(range(0, width, _TILE), range(0, height, _TILE)):
        mask.paste(tile, (x, y))
    whole = Image.new("L", (width, height))
    whole.paste(mask, (0, 0), plate(width, height, radius))
    return whole


@lru_cache(maxsize=len(Pattern))
def _tile(pattern: Pattern) -> Image.Image:
    side = _TILE * FINE
    fine = Image.new("L", (side, side))
    _PENS[pattern](ImageDraw.Draw(fine), side)
    return fine.resize((_TILE, _TILE), Image.Resampling.BOX)


Pen = Callable[[ImageDraw.ImageDraw, int], None]


def _stripes(pen: ImageDraw.ImageDraw, side: int) -> None:
    for shift in (-side, 0, side):
        pen.polygon([(shift, side), (shift + side, 0), (shift + side * 3 // 2, 0), (shift + side // 2, side)], fill=255)


def _dots(pen: ImageDraw.ImageDraw, side: int) -> None:
    for x, y in ((side // 4, side // 4), (side * 3 // 4, side * 3 // 4)):
        pen.ellipse((x - side // 8, y - side // 8, x + side // 8, y + side // 8), fill=255)


def _checks(pen: ImageDraw.ImageDraw, side: int) -> None:
    half = side // 2
    pen.rectangle((0, 0, half - 1, half - 1), fill=255)
    pen.rectangle((half, half, side, side), fill=255)


def _crosses(pen: ImageDraw.ImageDraw, side: int) -> None:
    thick, middle = side // 16, side // 2
    pen.rectangle((middle - thick, side // 4, middle + thick, side * 3 // 4), fill=255)
    pen.rectangle((side // 4, middle - thick, side * 3 // 4, middle + thick), fill=255)


def _bars(pen: ImageDraw.ImageDraw, side: int) -> None:
    pen.rectangle((0, 0, side, side // 4), fill=255)
    pen.rectangle((0, side // 2, side, side * 3 // 4), fill=255)


def _waves(pen: ImageDraw.ImageDraw, side: int) -> None:
    steps = [side * step // 32 for step in range(-8, 41)]
    for middle in (side // 4, side * 3 // 4):
        line = [(x, middle + side / 8 * sin(tau * x / side)) for x in steps]
        pen.line(line, fill=255, width=side // 10, joint="curve")


_PENS: dict[Pattern, Pen] = {
    Pattern.STRIPES: _stripes,
    Pattern.DOTS: _dots,
    Pattern.CHECKS: _checks,
    Pattern.CROSSES: _crosses,
    Pattern.BARS: _bars,
    Pattern.WAVES: _waves,
}
