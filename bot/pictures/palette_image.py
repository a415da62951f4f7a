"""Pixels in the colours of a file, laid on one another: each is the number of a colour, which needs no palette here."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from PIL import Image

from bot.pictures.themes import file_colours
from bot.rules.picture import Theme

_MODE: Final = "L"
"""A byte for each pixel; unlike "P" it has no palette, which Pillow would copy with each step."""


@dataclass(frozen=True, slots=True, eq=False)
class Pixels:
    """A rectangle of pixels."""

    image: Image.Image
    """Its bytes are numbers of colours."""

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height."""
        return self.image.size

    def lines(self, first: int, after: int) -> "Pixels":
        """Return a copy of its lines from one to before another."""
        return Pixels(self.image.crop((0, first, self.image.width, after)))

    def lay(self, other: "Pixels", x: int, y: int) -> None:
        """Put another on it, of which what reaches beyond its edge is left out."""
        self.image.paste(other.image, (x, y))

    def bands(self, height: int) -> Iterator[bytes]:
        """Yield its lines from top to bottom, a byte for each pixel, so many at a time; the last may be fewer."""
        lines, step = self.image.tobytes(), height * self.image.width
        return (lines[first : first + step] for first in range(0, len(lines), step))


def pixels_of(image: Image.Image, theme: Theme, margin: int = 0) -> Pixels:
    """Return an image's pixels in the colours of its theme's files, with so many zeros before each line."""
    in_colours = image.quantize(palette=_palette(theme), dither=Image.Dither.NONE).crop((-margin, 0, *image.size))
    return Pixels(Image.frombytes(_MODE, in_colours.size, in_colours.tobytes()))


@cache
def _palette(theme: Theme) -> Image.Image:
    holder = Image.new("P", (1, 1))
    holder.putpalette([part for colour in file_colours(theme) for part in colour])
    return holder
