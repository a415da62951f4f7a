"""Images whose pixels are indices into a palette."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from io import BytesIO
from typing import Final

from PIL import Image

from bot.pictures.themes import Colour, palette_colours, palette_of_several
from bot.rules.picture import FELT, Surface, Theme

_MAX_COLOURS: Final = 256

_IMAGE_MODE: Final = "L"
"""A byte for each pixel. Unlike "P" it has no palette, which Pillow would copy at each step."""


@dataclass(frozen=True, slots=True, eq=False)
class PaletteImage:
    """A rectangle of palette indices."""

    image: Image.Image

    @property
    def size(self) -> tuple[int, int]:
        """The width and height."""
        return self.image.size

    @property
    def area(self) -> int:
        """The number of pixels."""
        return self.image.width * self.image.height

    def crop_lines(self, first: int, after: int) -> "PaletteImage":
        """Return a copy of some lines, `after` not included."""
        return PaletteImage(self.image.crop((0, first, self.image.width, after)))

    def paste(self, other: "PaletteImage", x: int, y: int) -> None:
        """Paste another image, cut off at the edges."""
        self.image.paste(other.image, (x, y))

    def split_bands(self, height: int) -> Iterator[bytes]:
        """Yield the pixels in bands from top to bottom; the last may be lower."""
        lines, step = self.image.tobytes(), height * self.image.width
        return (lines[first : first + step] for first in range(0, len(lines), step))


def to_palette_image(image: Image.Image, theme: Theme, surface: Surface = FELT, margin: int = 0) -> PaletteImage:
    """Convert an image to the palette of a theme and a surface, with columns of zeros on the left as a margin."""
    quantized = to_indexed(image, theme, surface).crop((-margin, 0, *image.size))
    return PaletteImage(Image.frombytes(_IMAGE_MODE, quantized.size, quantized.tobytes()))


def encode_with_pillow(image: Image.Image, theme: Theme, surface: Surface = FELT) -> bytes:
    """Return an image in the palette of a theme and a surface as a PNG file written by Pillow."""
    file = BytesIO()
    to_indexed(image, theme, surface).save(file, "PNG", compress_level=1)
    return file.getvalue()


def encode_several_surfaces(image: Image.Image, theme: Theme, surfaces: Collection[Surface]) -> bytes:
    """Return an image with several surfaces as a PNG file, whose palette also has what the image needs most."""
    known = palette_of_several(theme, surfaces, ())
    flat = image.quantize(_MAX_COLOURS - len(known), Image.Quantize.MEDIANCUT).getpalette() or []
    needed = zip(flat[::3], flat[1::3], flat[2::3], strict=True)
    file = BytesIO()
    palette = _make_palette(palette_of_several(theme, surfaces, needed))
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()


def to_indexed(image: Image.Image, theme: Theme, surface: Surface) -> Image.Image:
    """Return an image in the palette of a theme and a surface."""
    return image.quantize(palette=_palette(theme, surface), dither=Image.Dither.NONE)


# 0.2 ms of a picture, except in Magpie.
@cache
def _palette(theme: Theme, surface: Surface) -> Image.Image:
    return _make_palette(palette_colours(theme, surface))


def _make_palette(colours: Iterable[Colour]) -> Image.Image:
    holder = Image.new("P", (1, 1))
    holder.putpalette([part for colour in colours for part in colour])
    return holder
