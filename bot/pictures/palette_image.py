"""Images whose pixels are indices into a palette."""

from collections.abc import Collection, Iterable
from functools import lru_cache
from io import BytesIO
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from bot.pictures.themes import Colour, palette_colours, palette_of_several
from bot.rules.picture import FELT, Surface, Theme

_MAX_COLOURS: Final = 256

Indices: TypeAlias = NDArray[np.uint8]
"""The palette index of each pixel, by line and column. Pasting into an array takes a tenth of what Pillow takes."""


def to_indices(image: Image.Image, theme: Theme, surface: Surface = FELT) -> Indices:
    """Return the pixels of an image in the palette of a theme and a surface."""
    indexed = to_indexed(image, theme, surface)
    return np.frombuffer(indexed.tobytes(), np.uint8).reshape(indexed.height, indexed.width)


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
@lru_cache(maxsize=64)
def _palette(theme: Theme, surface: Surface) -> Image.Image:
    return _make_palette(palette_colours(theme, surface))


def _make_palette(colours: Iterable[Colour]) -> Image.Image:
    holder = Image.new("P", (1, 1))
    holder.putpalette([part for colour in colours for part in colour])
    return holder
