"""The painter: lays marks on the felt, on all of a picture or on a part of it."""

from collections.abc import Iterable
from math import ceil, hypot
from typing import assert_never

from PIL import Image

from bot.pictures.fonts import lettering
from bot.pictures.shapes import corners, patterned, plate, ring
from bot.pictures.sprite_cache import Shelf
from bot.pictures.themes import Colour, colour_of, shade_of
from bot.rules.picture import Box, Ink, Label, Mark, Picture, Rect, Sprite, Theme


class Painter:
    """Paints pictures in one theme; for one thread."""

    def __init__(self, theme: Theme, shelf: Shelf) -> None:
        self._theme = theme
        self._shelf = shelf

    def paint(self, picture: Picture) -> Image.Image:
        """Return the whole picture."""
        canvas = self.ground(picture)
        self._lay(canvas, picture.marks, 0, 0)
        return canvas

    def ground(self, picture: Picture) -> Image.Image:
        """Return what lies below everything else: the felt with the backdrop."""
        canvas = Image.new("RGB", picture.size, self._colour(Ink.FELT))
        self._lay(canvas, picture.backdrop, 0, 0)
        return canvas

    def part(self, ground: Image.Image, marks: Iterable[Mark], at: Rect) -> Image.Image:
        """Return a part of a ground, on which these marks lie."""
        canvas = ground.crop((at.x, at.y, at.right, at.bottom))
        self._lay(canvas, marks, at.x, at.y)
        return canvas

    def _lay(self, canvas: Image.Image, marks: Iterable[Mark], left: int, top: int) -> None:
        for mark in marks:
            at = mark.at.moved(-left, -top)
            match mark:
                case Sprite():
                    self._lay_sprite(canvas, mark, at)
                case Box():
                    self._lay_box(canvas, mark, at)
                case Label():
                    self._write(canvas, mark, at)
                case _:
                    assert_never(mark)

    def _lay_sprite(self, canvas: Image.Image, sprite: Sprite, at: Rect) -> None:
        bitmap = self._shelf.bitmap(sprite)
        left = at.x + (at.width - bitmap.width) // 2
        top = at.y + (at.height - bitmap.height) // 2
        canvas.paste(bitmap, (left, top), bitmap)

    def _lay_box(self, canvas: Image.Image, box: Box, at: Rect) -> None:
        within, radius = at, box.radius
        if box.edge is not None and box.fill is None:
            canvas.paste(self._colour(box.edge), (at.x, at.y), ring(at.width, at.height, radius, box.width))
            return
        if box.edge is not None:
            _fill(canvas, at, radius, self._colour(box.edge))
            within, radius = at.inset(box.width), max(0, radius - box.width)
        if box.fill is not None:
            _fill(canvas, within, radius, self._colour(box.fill))
            if box.pattern is not None:
                mask = patterned(within.width, within.height, radius, box.pattern)
                canvas.paste(shade_of(self._theme, box.fill), (within.x, within.y), mask)

    def _write(self, canvas: Image.Image, label: Label, at: Rect) -> None:
        letters = lettering(label)
        canvas.paste(self._colour(label.ink), (at.x + letters.left, at.y + letters.top), letters.mask)

    def _colour(self, ink: Ink) -> Colour:
        return colour_of(self._theme, ink)


def area_of(mark: Mark) -> Rect:
    """Return the part of a picture outside of which a mark touches nothing."""
    at = mark.at
    match mark:
        case Sprite():
            return _about(mark)
        case Label():
            letters = lettering(mark)
            return Rect(at.x + letters.left, at.y + letters.top, letters.mask.width, letters.mask.height)
        case _:
            return at


def _about(sprite: Sprite) -> Rect:
    """Return where a turned sprite lies at most: exactly there, if it is turned by right angles."""
    at = sprite.at
    match sprite.turn % 180:
        case 0:
            return at
        case 90:
            width, height = at.height, at.width
        case _:
            width = height = 2 * (ceil(hypot(at.width, at.height) / 2) + 2)
    return Rect(at.x + (at.width - width) // 2, at.y + (at.height - height) // 2, width, height)


def _fill(canvas: Image.Image, at: Rect, radius: int, colour: Colour) -> None:
    if not radius:
        canvas.paste(colour, (at.x, at.y, at.right, at.bottom))
    elif 2 * radius > min(at.width, at.height):
        canvas.paste(colour, (at.x, at.y), plate(at.width, at.height, radius))
    else:
        # Blending takes its time, and only the corners need it.
        canvas.paste(colour, (at.x, at.y + radius, at.right, at.bottom - radius))
        for y in (at.y, at.bottom - radius):
            canvas.paste(colour, (at.x + radius, y, at.right - radius, y + radius))
        for corner in corners(radius):
            x = at.right - radius if corner.is_right else at.x
            y = at.bottom - radius if corner.is_low else at.y
            canvas.paste(colour, (x, y), corner.mask)
