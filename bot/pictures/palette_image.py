"""Pixels in the colours of a file, laid on one another: each is the number of a colour, which needs no palette here."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Final

from PIL import Image

from bot.pictures.themes import palette_colours
from bot.rules.picture import Theme

_IMAGE_MODE: Final = "L"
"""A byte for each pixel; unlike "P" it has no palette, which Pillow would copy with each step."""


@dataclass(frozen=True, slots=True, eq=False)
class PaletteImage:
    """A rectangle of pixels."""

    image: Image.Image
    """Its bytes are numbers of colours."""

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height."""
        return self.image.size

    def crop_lines(self, first: int, after: int) -> "PaletteImage":
        """Return a copy of its lines from one to before another."""
        return PaletteImage(self.image.crop((0, first, self.image.width, after)))

    def paste(self, other: "PaletteImage", x: int, y: int) -> None:
        """Put another on it, of which what reaches beyond its edge is left out."""
        self.image.paste(other.image, (x, y))

    def split_bands(self, height: int) -> Iterator[bytes]:
        """Yield its lines from top to bottom, a byte for each pixel, so many at a time; the last may be fewer."""
        lines, step = self.image.tobytes(), height * self.image.width
        return (lines[first : first + step] for first in range(0, len(lines), step))


def to_palette_image(image: Image.Image, theme: Theme, margin: int = 0) -> PaletteImage:
    """Return an image's pixels in the colours of its theme's files, with so many zeros before each line."""
    in_colours = image.quantize(palette=_palette(theme), dither=Image.Dither.NONE).crop((-margin, 0, *image.size))
    return PaletteImage(Image.frombytes(_IMAGE_MODE, in_colours.size, in_colours.tobytes()))


@cache
def _palette(theme: Theme) -> Image.Image:
    holder = Image.new("P", (1, 1))
    holder.putpalette([part for colour in palette_colours(theme) for part in colour])
    return holder
