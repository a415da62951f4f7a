"""Masks of shapes with smooth edges: round corners, rings and patterns."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product
from math import sin, tau

from PIL import Image, ImageDraw

from bot.rules.picture import Pattern

OVERSAMPLING = 8
"""The scale at which shapes are drawn before they are scaled down, which smooths their edges."""

_PATTERN_SIZE = 24
"""The side of a pattern's tile in pixels."""


@dataclass(frozen=True, slots=True)
class CornerMask:
    """A round corner of a rectangle."""

    mask: Image.Image
    is_right: bool
    is_low: bool


@lru_cache(maxsize=256)
def corner_masks(radius: int) -> tuple[CornerMask, ...]:
    """Return the masks of the four corners."""
    fine = Image.new("L", (radius * OVERSAMPLING, radius * OVERSAMPLING))
    ImageDraw.Draw(fine).ellipse((0, 0, 2 * radius * OVERSAMPLING - 1, 2 * radius * OVERSAMPLING - 1), fill=255)
    quarter = fine.resize((radius, radius), Image.Resampling.BOX)
    return (
        CornerMask(quarter, is_right=False, is_low=False),
        CornerMask(quarter.transpose(Image.Transpose.FLIP_LEFT_RIGHT), is_right=True, is_low=False),
        CornerMask(quarter.transpose(Image.Transpose.FLIP_TOP_BOTTOM), is_right=False, is_low=True),
        CornerMask(quarter.transpose(Image.Transpose.ROTATE_180), is_right=True, is_low=True),
    )


@lru_cache(maxsize=128)
def rounded_rect_mask(width: int, height: int, radius: int) -> Image.Image:
    """Return the mask of a rectangle with round corners."""
    mask = Image.new("L", (width, height), 255)
    for corner in corner_masks(radius) if radius else ():
        x = width - radius if corner.is_right else 0
        y = height - radius if corner.is_low else 0
        mask.paste(corner.mask, (x, y))
    return mask


@lru_cache(maxsize=128)
def ring_mask(width: int, height: int, radius: int, thick: int) -> Image.Image:
    """Return the mask of the border of such a rectangle."""
    mask = rounded_rect_mask(width, height, radius).copy()
    within = rounded_rect_mask(width - 2 * thick, height - 2 * thick, max(0, radius - thick))
    mask.paste(0, (thick, thick), within)
    return mask


@lru_cache(maxsize=128)
def pattern_mask(width: int, height: int, radius: int, pattern: Pattern) -> Image.Image:
    """Return the mask of a pattern in such a rectangle."""
    mask = Image.new("L", (width, height))
    tile = _pattern_tile(pattern)
    for x, y in product(range(0, width, _PATTERN_SIZE), range(0, height, _PATTERN_SIZE)):
        mask.paste(tile, (x, y))
    whole = Image.new("L", (width, height))
    whole.paste(mask, (0, 0), rounded_rect_mask(width, height, radius))
    return whole


@lru_cache(maxsize=len(Pattern))
def _pattern_tile(pattern: Pattern) -> Image.Image:
    side = _PATTERN_SIZE * OVERSAMPLING
    fine = Image.new("L", (side, side))
    _PATTERN_PAINTERS[pattern](ImageDraw.Draw(fine), side)
    return fine.resize((_PATTERN_SIZE, _PATTERN_SIZE), Image.Resampling.BOX)


PatternPainter = Callable[[ImageDraw.ImageDraw, int], None]


def _draw_stripes(pen: ImageDraw.ImageDraw, side: int) -> None:
    for shift in (-side, 0, side):
        pen.polygon([(shift, side), (shift + side, 0), (shift + side * 3 // 2, 0), (shift + side // 2, side)], fill=255)


def _draw_dots(pen: ImageDraw.ImageDraw, side: int) -> None:
    for x, y in ((side // 4, side // 4), (side * 3 // 4, side * 3 // 4)):
        pen.ellipse((x - side // 8, y - side // 8, x + side // 8, y + side // 8), fill=255)


def _draw_checks(pen: ImageDraw.ImageDraw, side: int) -> None:
    half = side // 2
    pen.rectangle((0, 0, half - 1, half - 1), fill=255)
    pen.rectangle((half, half, side, side), fill=255)


def _draw_crosses(pen: ImageDraw.ImageDraw, side: int) -> None:
    thick, middle = side // 16, side // 2
    pen.rectangle((middle - thick, side // 4, middle + thick, side * 3 // 4), fill=255)
    pen.rectangle((side // 4, middle - thick, side * 3 // 4, middle + thick), fill=255)


def _draw_bars(pen: ImageDraw.ImageDraw, side: int) -> None:
    pen.rectangle((0, 0, side, side // 4), fill=255)
    pen.rectangle((0, side // 2, side, side * 3 // 4), fill=255)


def _draw_waves(pen: ImageDraw.ImageDraw, side: int) -> None:
    steps = [side * step // 32 for step in range(-8, 41)]
    for middle in (side // 4, side * 3 // 4):
        line = [(x, middle + side / 8 * sin(tau * x / side)) for x in steps]
        pen.line(line, fill=255, width=side // 10, joint="curve")


_PATTERN_PAINTERS: dict[Pattern, PatternPainter] = {
    Pattern.STRIPES: _draw_stripes,
    Pattern.DOTS: _draw_dots,
    Pattern.CHECKS: _draw_checks,
    Pattern.CROSSES: _draw_crosses,
    Pattern.BARS: _draw_bars,
    Pattern.WAVES: _draw_waves,
}
