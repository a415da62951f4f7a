"""Paints the marks of a picture, or of a part of it."""

from collections.abc import Iterable
from typing import Final, assert_never

from PIL import Image

from bot.pictures.fonts import text_mask_of
from bot.pictures.shapes import corner_masks, ring_mask, rounded_rect_mask, stripes_mask
from bot.pictures.sprite_cache import SpriteCache
from bot.pictures.themes import Colour, colour_of, shade_of
from bot.rules.picture import FELT, Box, ColourRole, Label, Mark, Picture, Rect, Sprite, Surface, Theme

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
        """Paint the surface with the backdrop."""
        canvas = Image.new("RGB", picture.size, colour_of(self._theme, ColourRole.SURFACE, picture.surface))
        self._paint_marks(canvas, picture.backdrop, picture.surface)
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
                    self._paint_sprite(canvas, mark, at, surface)
                case Box():
                    self._paint_box(canvas, mark, at, mark.surface or surface)
                case Label():
                    self._paint_label(canvas, mark, at, surface)
                case _:
                    assert_never(mark)

    def _paint_sprite(self, canvas: Image.Image, sprite: Sprite, at: Rect, surface: Surface) -> None:
        bitmap = self._sprite_cache.bitmap(sprite, surface)
        left = at.x + (at.width - bitmap.width) // 2
        top = at.y + (at.height - bitmap.height) // 2
        canvas.paste(bitmap, (left, top), bitmap)

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

    def _paint_label(self, canvas: Image.Image, label: Label, at: Rect, surface: Surface) -> None:
        text = text_mask_of(label)
        canvas.paste(colour_of(self._theme, label.colour, surface), (at.x + text.left, at.y + text.top), text.mask)


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
