"""Palette images: every operation gives the same result as Pillow."""

from PIL import Image, ImageDraw

from bot.pictures.palette_image import PaletteImage, to_palette_image
from bot.pictures.themes import colour_of, palette_colours
from bot.rules.picture import ColourRole, Theme
from tests.support.each_case import each_case

COLOURS = (ColourRole.PAPER, ColourRole.RED, ColourRole.MARK, ColourRole.SURFACE)


def draw(size: tuple[int, int], first: int = 0) -> Image.Image:
    """Draw something that looks different in every line and column."""
    image = Image.new("RGB", size, colour_of(Theme.STANDARD, ColourRole.SURFACE))
    pen = ImageDraw.Draw(image)
    for place in range(0, sum(size), 3):
        pen.line((place, 0, 0, 2 * place), fill=colour_of(Theme.STANDARD, COLOURS[(first + place) % len(COLOURS)]))
    return image


def to_image(pixels: PaletteImage, theme: Theme = Theme.STANDARD) -> Image.Image:
    """Turn pixels back into an image."""
    image = Image.frombytes("P", pixels.size, b"".join(pixels.split_bands(pixels.size[1])))
    image.putpalette([part for colour in palette_colours(theme) for part in colour])
    return image.convert("RGB")


@each_case("theme", Theme)
def test_palette_images_show_what_the_image_shows(theme: Theme) -> None:
    image = Image.new("RGB", (30, 20), colour_of(theme, ColourRole.PAPER))
    image.putpixel((7, 3), colour_of(theme, ColourRole.RED))
    assert to_image(to_palette_image(image, theme), theme).tobytes() == image.tobytes()


@each_case("margin", [0, 1, 3])
def test_a_margin_is_zeros_before_each_line(margin: int) -> None:
    bare, pixels = (
        to_palette_image(draw((30, 20)), Theme.STANDARD),
        to_palette_image(draw((30, 20)), Theme.STANDARD, margin=margin),
    )
    assert pixels.size == (30 + margin, 20)
    lines = zip(pixels.split_bands(1), bare.split_bands(1), strict=True)
    assert all(line == bytes(margin) + rest for line, rest in lines)


@each_case("height, heights", [(1, [1] * 20), (5, [5] * 4), (8, [8, 8, 4]), (20, [20]), (32, [20])])
def test_bands_are_all_of_its_lines(height: int, heights: list[int]) -> None:
    pixels = to_palette_image(draw((30, 20)), Theme.STANDARD)
    bands = list(pixels.split_bands(height))
    assert [len(band) for band in bands] == [30 * each for each in heights]
    assert b"".join(bands) == b"".join(pixels.split_bands(1))


def test_lines_are_a_copy() -> None:
    pixels = to_palette_image(draw((30, 20)), Theme.STANDARD)
    before = to_image(pixels).tobytes()
    part = pixels.crop_lines(4, 12)
    assert to_image(part).tobytes() == draw((30, 20)).crop((0, 4, 30, 12)).tobytes()
    part.paste(to_palette_image(draw((30, 8), first=1), Theme.STANDARD), 0, 0)
    assert to_image(pixels).tobytes() == before


@each_case("at", [(0, 0), (5, 4), (25, 15), (-3, -2), (-3, 17), (40, 4), (0, -12)])
def test_pasting_ends_at_the_edge_of_the_image(at: tuple[int, int]) -> None:
    ground, patch = draw((30, 20)), draw((12, 8), first=2)
    pixels = to_palette_image(ground, Theme.STANDARD)
    pixels.paste(to_palette_image(patch, Theme.STANDARD), *at)
    ground.paste(patch, at)
    assert to_image(pixels).tobytes() == ground.tobytes()
