"""Pixels in the colours of a file, laid on one another without ceremony.

They are what one of Pillow's images holds inside. An image looks itself over before each step, and what it gives away
it copies once more than is needed; a picture takes dozens of steps while somebody waits for it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from PIL import Image

from bot.pictures.themes import file_colours
from bot.rules.picture import Theme

_MODE: Final = "P"
"""Each pixel is the number of a colour."""


@dataclass(frozen=True, slots=True, eq=False)
class Pixels:
    """A rectangle of pixels."""

    core: Any
    """The inside of an image, of which Pillow names no type."""

    @property
    def size(self) -> tuple[int, int]:
        """Its width and height."""
        width, height = self.core.size
        return width, height

    def lines(self, first: int, after: int) -> "Pixels":
        """Return a copy of its lines from one to before another."""
        return Pixels(self.core.crop((0, first, self.core.size[0], after)))

    def lay(self, other: "Pixels", x: int, y: int) -> None:
        """Put another on it, of which what reaches beyond its edge is left out."""
        width, height = other.size
        self.core.paste(other.core, (x, y, x + width, y + height))

    def bands(self, height: int) -> Iterator[bytes]:
        """Yield its lines from top to bottom, a byte for each pixel, so many at a time; the last may be fewer."""
        size = self.size
        # Pillow keeps this name for itself; its own way to the same copies every line three times.
        encoder = Image.core.raw_encoder(_MODE, _MODE)  # type: ignore[attr-defined]
        encoder.setimage(self.core, (0, 0, *size))
        state = 0
        while not state:
            _, state, lines = encoder.encode(height * size[0])
            yield lines
        if state < 0:
            raise ValueError(f"the lines can't be read: {state}")


def pixels_of(image: Image.Image, theme: Theme, margin: int = 0) -> Pixels:
    """Return an image's pixels in the colours of its theme's files, with so many zeros before each line."""
    in_colours = image.quantize(palette=_palette(theme), dither=Image.Dither.NONE)
    return Pixels(in_colours.crop((-margin, 0, *image.size)).im)


@cache
def _palette(theme: Theme) -> Image.Image:
    holder = Image.new(_MODE, (1, 1))
    holder.putpalette([part for colour in file_colours(theme) for part in colour])
    return holder
