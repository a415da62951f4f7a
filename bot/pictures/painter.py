"""Paints the marks of a picture, or of a part of it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Final, assert_never

from PIL import Image, ImageDraw

from bot.pictures.fonts import text_mask_of
from bot.pictures.sprite_cache import SpriteCache
from bot.pictures.themes import Colour, colour_of, shade_of
from bot.rules.picture import FELT, Box, ColourRole, Label, Mark, Picture, Rect, Sprite, Surface, Theme

OVERSAMPLING = 8
"""The scale at which shapes are drawn before they are scaled down, which smooths their edges."""

_TILE_SIZE = 24
"""The side of a tile of stripes in pixels."""


@dataclass(frozen=True, slots=True)
class CornerMask:
    """A round corner of a rectangle."""

    mask: Image.Image
    is_right: bool
    is_low: bool


# 0.1 to 0.5 ms of a picture.
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


def rounded_rect_mask(width: int, height: int, radius: int) -> Image.Image:
    """Return the mask of a rectangle with round corners."""
    mask = Image.new("L", (width, height), 255)
    for corner in corner_masks(radius) if radius else ():
        x = width - radius if corner.is_right else 0
        y = height - radius if corner.is_low else 0
        mask.paste(corner.mask, (x, y))
    return mask


# 0.1 ms of a picture of Change.
@lru_cache(maxsize=128)
def ring_mask(width: int, height: int, radius: int, thick: int) -> Image.Image:
    """Return the mask of the border of such a rectangle."""
    mask = rounded_rect_mask(width, height, radius).copy()
    within = rounded_rect_mask(width - 2 * thick, height - 2 * thick, max(0, radius - thick))
    mask.paste(0, (thick, thick), within)
    return mask


# 5 to 15 us of a picture of Magpie or Fortune, up to 1 % of a click with one.
@lru_cache(maxsize=128)
def stripes_mask(width: int, height: int, radius: int) -> Image.Image:
    """Return the mask of stripes in such a rectangle."""
    mask = Image.new("L", (width, height))
    tile = _stripes_tile()
    for x, y in product(range(0, width, _TILE_SIZE), range(0, height, _TILE_SIZE)):
        mask.paste(tile, (x, y))
    whole = Image.new("L", (width, height))
    whole.paste(mask, (0, 0), rounded_rect_mask(width, height, radius))
    return whole


# 40 us for each striped bar.
@cache
def _stripes_tile() -> Image.Image:
    side = _TILE_SIZE * OVERSAMPLING
    fine = Image.new("L", (side, side))
    pen = ImageDraw.Draw(fine)
    for shift in (-side, 0, side):
        pen.polygon([(shift, side), (shift + side, 0), (shift + side * 3 // 2, 0), (shift + side // 2, side)], fill=255)
    return fine.resize((_TILE_SIZE, _TILE_SIZE), Image.Resampling.BOX)


_EDGE: Final = 6
"""The height of the lower edge of a raised box."""


class Painter:
    """Paints pictures in one theme; not thread-safe."""

    def __init__(self, theme: Theme, sprite_cache: SpriteCache) -> None:
        self._theme = theme
        self._sprite_cache = sprite_cache

    def paint(self, picture: Picture) -> Image.Image:
        """Paint the whole picture."""
        canvas = self.paint_backdrop(picture)
        self._paint_marks(canvas, picture.marks, picture.surface)
        return canvas

    def paint_backdrop(self, picture: Picture) -> Image.Image:
        """Paint the surface with the backdrop, in high contrast without scenery."""
        canvas = Image.new("RGB", picture.size, colour_of(self._theme, ColourRole.SURFACE, picture.surface))
        hidden = picture.scenery if self._theme is Theme.HIGH_CONTRAST else ()
        self._paint_marks(canvas, (mark for mark in picture.backdrop if mark not in hidden), picture.surface)
        return canvas

    def paint_area(self, ground: Image.Image, marks: Iterable[Mark], at: Rect, surface: Surface = FELT) -> Image.Image:
        """Paint marks on a part of a backdrop and return that part."""
        canvas = ground.crop((at.x, at.y, at.right, at.bottom))
        self._paint_marks(canvas, marks, surface, at.x, at.y)
        return canvas

    def _paint_marks(
        self, canvas: Image.Image, marks: Iterable[Mark], surface: Surface, left: int = 0, top: int = 0
    ) -> None:
        for mark in marks:
            at = mark.at.shift(-left, -top)
            match mark:
                case Sprite():
                    bitmap = self._sprite_cache.bitmap(mark, surface)
                    middle = (at.x + (at.width - bitmap.width) // 2, at.y + (at.height - bitmap.height) // 2)
                    canvas.paste(bitmap, middle, bitmap)
                case Box():
                    self._paint_box(canvas, mark, at, mark.surface or surface)
                case Label():
                    text, colour = text_mask_of(mark), colour_of(self._theme, mark.colour, surface)
                    canvas.paste(colour, (at.x + text.left, at.y + text.top), text.mask)
                case _:
                    assert_never(mark)

    def _paint_box(self, canvas: Image.Image, box: Box, at: Rect, surface: Surface) -> None:
        within, radius = at, box.radius
        if box.border is not None and box.fill is None:
            canvas.paste(
                colour_of(self._theme, box.border, surface),
                (at.x, at.y),
                ring_mask(at.width, at.height, radius, box.border_width),
            )
            return
        if box.border is not None:
            _fill_box(canvas, at, radius, colour_of(self._theme, box.border, surface))
            within, radius = at.inset(box.border_width), max(0, radius - box.border_width)
        if box.fill is not None:
            if box.is_raised:
                _fill_box(canvas, within, radius, shade_of(self._theme, box.fill, surface))
                within = within._replace(height=within.height - _EDGE)
            _fill_box(canvas, within, radius, colour_of(self._theme, box.fill, surface))
            if box.is_striped:
                mask = stripes_mask(within.width, within.height, radius)
                canvas.paste(shade_of(self._theme, box.fill, surface), (within.x, within.y), mask)


def area_of(mark: Mark) -> Rect:
    """Return the area that a mark may change."""
    at = mark.at
    match mark:
        case Sprite():
            # Pillow turns bitmaps around the middle of a pixel.
            return mark.bounds.inset(-2) if mark.rotation % 90 else mark.bounds
        case Label():
            text = text_mask_of(mark)
            return Rect(at.x + text.left, at.y + text.top, text.mask.width, text.mask.height)
        case _:
            return at


def _fill_box(canvas: Image.Image, at: Rect, radius: int, colour: Colour) -> None:
    if not radius:
        canvas.paste(colour, (at.x, at.y, at.right, at.bottom))
    elif 2 * radius > min(at.width, at.height):
        canvas.paste(colour, (at.x, at.y), rounded_rect_mask(at.width, at.height, radius))
    else:
        # Blending is slow, and only the corners need it.
        canvas.paste(colour, (at.x, at.y + radius, at.right, at.bottom - radius))
        for y in (at.y, at.bottom - radius):
            canvas.paste(colour, (at.x + radius, y, at.right - radius, y + radius))
        for corner in corner_masks(radius):
            x = at.right - radius if corner.is_right else at.x
            y = at.bottom - radius if corner.is_low else at.y
            canvas.paste(colour, (x, y), corner.mask)
