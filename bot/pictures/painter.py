"""The painter: lays marks on the felt, and writes the file."""

from functools import cache
from io import BytesIO
from typing import assert_never

from PIL import Image, ImageDraw

from bot.pictures.fonts import script_of
from bot.pictures.shapes import patterned, plate, ring
from bot.pictures.shelf import Shelf
from bot.pictures.themes import Colour, colour_of, file_colours, shade_of
from bot.rules.picture import Box, Ink, Label, Mark, Picture, Rect, Sprite, Theme

MOST_BACKDROPS = 6
"""How many backdrops stay ready, 2 MB each."""

_EFFORT = 3
"""How hard the file is pressed: more takes longer and saves little."""


class Painter:
    """Paints pictures in one theme; for one thread."""

    def __init__(self, theme: Theme, shelf: Shelf) -> None:
        self._theme = theme
        self._shelf = shelf
        self._backdrops: dict[tuple[tuple[int, int], tuple[Mark, ...]], Image.Image] = {}

    def paint(self, picture: Picture) -> Image.Image:
        """Return the whole picture."""
        canvas = self._backdrop(picture).copy()
        self._lay(canvas, picture.marks)
        return canvas

    def _backdrop(self, picture: Picture) -> Image.Image:
        key = (picture.size, picture.backdrop)
        found = self._backdrops.pop(key, None)
        if found is None:
            found = Image.new("RGB", picture.size, self._colour(Ink.FELT))
            self._lay(found, picture.backdrop)
        self._backdrops[key] = found
        while len(self._backdrops) > MOST_BACKDROPS:
            del self._backdrops[next(iter(self._backdrops))]
        return found

    def _lay(self, canvas: Image.Image, marks: tuple[Mark, ...]) -> None:
        pen = ImageDraw.Draw(canvas)
        for mark in marks:
            match mark:
                case Sprite():
                    self._lay_sprite(canvas, mark)
                case Box():
                    self._lay_box(canvas, mark)
                case Label():
                    self._write(pen, mark)
                case _:
                    assert_never(mark)

    def _lay_sprite(self, canvas: Image.Image, sprite: Sprite) -> None:
        bitmap = self._shelf.bitmap(sprite)
        left = sprite.at.x + (sprite.at.width - bitmap.width) // 2
        top = sprite.at.y + (sprite.at.height - bitmap.height) // 2
        canvas.paste(bitmap, (left, top), bitmap)

    def _lay_box(self, canvas: Image.Image, box: Box) -> None:
        within, radius = box.at, box.radius
        if box.edge is not None and box.fill is None:
            mask = ring(box.at.width, box.at.height, radius, box.width)
            canvas.paste(self._colour(box.edge), (box.at.x, box.at.y), mask)
            return
        if box.edge is not None:
            _fill(canvas, box.at, radius, self._colour(box.edge))
            within, radius = box.at.inset(box.width), max(0, radius - box.width)
        if box.fill is not None:
            _fill(canvas, within, radius, self._colour(box.fill))
            if box.pattern is not None:
                mask = patterned(within.width, within.height, radius, box.pattern)
                canvas.paste(shade_of(self._theme, box.fill), (within.x, within.y), mask)

    def _write(self, pen: ImageDraw.ImageDraw, label: Label) -> None:
        how, colour = script_of(label), self._colour(label.ink)
        pen.text(how.start, label.text, colour, how.font, how.anchor, stroke_width=how.stroke)

    def _colour(self, ink: Ink) -> Colour:
        return colour_of(self._theme, ink)


def _fill(canvas: Image.Image, at: Rect, radius: int, colour: Colour) -> None:
    if radius:
        canvas.paste(colour, (at.x, at.y), plate(at.width, at.height, radius))
    else:
        canvas.paste(colour, (at.x, at.y, at.right, at.bottom))


@cache
def _file_palette(theme: Theme) -> Image.Image:
    holder = Image.new("P", (1, 1))
    holder.putpalette([part for colour in file_colours(theme) for part in colour])
    return holder


def encoded(canvas: Image.Image, theme: Theme) -> bytes:
    """Write a picture as PNG, in the colours of its theme."""
    file = BytesIO()
    few = canvas.quantize(palette=_file_palette(theme), dither=Image.Dither.NONE)
    few.save(file, "PNG", compress_level=_EFFORT)
    return file.getvalue()
