"""Pixels: what is done with them looks as it does with Pillow's images."""

import pytest
from PIL import Image, ImageDraw

from bot.pictures.palette_image import Pixels, pixels_of
from bot.pictures.themes import colour_of, file_colours
from bot.rules.picture import Ink, Theme

INKS = (Ink.PAPER, Ink.RED, Ink.MARK, Ink.FELT)


def drawn(size: tuple[int, int], first: int = 0) -> Image.Image:
    """Draw something that looks different in every line and column."""
    image = Image.new("RGB", size, colour_of(Theme.STANDARD, Ink.FELT))
    pen = ImageDraw.Draw(image)
    for place in range(0, sum(size), 3):
        pen.line((place, 0, 0, 2 * place), fill=colour_of(Theme.STANDARD, INKS[(first + place) % len(INKS)]))
    return image


def image_of(pixels: Pixels, theme: Theme = Theme.STANDARD) -> Image.Image:
    """Turn pixels back into an image."""
    image = Image.frombytes("P", pixels.size, b"".join(pixels.bands(pixels.size[1])))
    image.putpalette([part for colour in file_colours(theme) for part in colour])
    return image.convert("RGB")


@pytest.mark.parametrize("theme", Theme)
def test_they_show_what_the_image_shows(theme: Theme) -> None:
    image = Image.new("RGB", (30, 20), colour_of(theme, Ink.PAPER))
    image.putpixel((7, 3), colour_of(theme, Ink.RED))
    assert image_of(pixels_of(image, theme), theme).tobytes() == image.tobytes()


@pytest.mark.parametrize("margin", [0, 1, 3])
def test_a_margin_is_zeros_before_each_line(margin: int) -> None:
    bare, pixels = pixels_of(drawn((30, 20)), Theme.STANDARD), pixels_of(drawn((30, 20)), Theme.STANDARD, margin)
    assert pixels.size == (30 + margin, 20)
    lines = zip(pixels.bands(1), bare.bands(1), strict=True)
    assert all(line == bytes(margin) + rest for line, rest in lines)


@pytest.mark.parametrize(("height", "heights"), [(1, [1] * 20), (5, [5] * 4), (8, [8, 8, 4]), (20, [20]), (32, [20])])
def test_bands_are_all_of_its_lines(height: int, heights: list[int]) -> None:
    pixels = pixels_of(drawn((30, 20)), Theme.STANDARD)
    bands = list(pixels.bands(height))
    assert [len(band) for band in bands] == [30 * each for each in heights]
    assert b"".join(bands) == b"".join(pixels.bands(1))


def test_lines_are_a_copy() -> None:
    pixels = pixels_of(drawn((30, 20)), Theme.STANDARD)
    before = image_of(pixels).tobytes()
    part = pixels.lines(4, 12)
    assert image_of(part).tobytes() == drawn((30, 20)).crop((0, 4, 30, 12)).tobytes()
    part.lay(pixels_of(drawn((30, 8), first=1), Theme.STANDARD), 0, 0)
    assert image_of(pixels).tobytes() == before


@pytest.mark.parametrize("at", [(0, 0), (5, 4), (25, 15), (-3, -2), (-3, 17), (40, 4), (0, -12)])
def test_what_is_laid_on_it_ends_at_its_edge(at: tuple[int, int]) -> None:
    ground, patch = drawn((30, 20)), drawn((12, 8), first=2)
    pixels = pixels_of(ground, Theme.STANDARD)
    pixels.lay(pixels_of(patch, Theme.STANDARD), *at)
    ground.paste(patch, at)
    assert image_of(pixels).tobytes() == ground.tobytes()
