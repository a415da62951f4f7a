"""All art there is: drawn in the inks of a theme, at the size it says, and nothing else."""

import re
from itertools import combinations, product

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures.themes import colour_of
from bot.rules.picture import ColourRole, Theme
from tests.support.each_case import each_case
from tests.support.picture_checks import load_art

FORBIDDEN_SVG = re.compile(r"#[0-9a-fA-F]{3,8}\b|rgb|<text|<image|<style|<script|href|font", re.ASCII)
VIEW = re.compile(r'viewBox="0 0 (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)"')
LARGEST = 40_000
"""Bytes of a file: art is drawn by hand, not traced."""


COLOURS, SHAPES = ("red", "green", "blue", "yellow"), ("circle", "square", "star", "triangle")
KINDS = {
    "seats": [f"token-{number}" for number in range(1, 7)],
    "Ragz": [f"change/ragz-{number}" for number in range(1, 7)],
    "faces": [f"fortune/{face}" for face in ("diamond", "gold", "monkey", "parrot", "skull", "sword")],
    "suits": [f"magic_bag/{suit}" for suit in ("arms", "crown", "moon", "sun")],
    "colours": [f"houdinis_baggage/{colour}" for colour in COLOURS],
    "shapes": [f"houdinis_baggage/{shape}" for shape in SHAPES],
    "baggage": [f"houdinis_baggage/{colour}-{shape}" for colour, shape in product(COLOURS, SHAPES)],
}
"""Pieces that stand side by side, and differ in colour as well."""

MIN_DIFFERENCE = 0.03
"""The share by which two pieces must differ without their colours: a dot on a shape, or a corner."""


def without_colours(piece: Image.Image) -> tuple[Image.Image, Image.Image]:
    """Return where a piece is clearly lighter than it is on average, and where there is anything of it."""
    solid = piece.getchannel("A").point(lambda alpha: 255 if alpha > 127 else 0)
    grey = piece.convert("L")
    (mean,) = ImageStat.Stat(grey, solid).mean
    return ImageChops.multiply(grey.point(lambda light: 255 if light > mean + 8 else 0), solid), solid


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return the share of two pieces that differs apart from their colours, from 0 to 1."""
    pairs = zip(without_colours(one), without_colours(other.resize(one.size)), strict=True)
    light, solid = (ImageChops.difference(mine, theirs) for mine, theirs in pairs)
    return ImageStat.Stat(ImageChops.lighter(light, solid)).mean[0] / 255


@each_case("kind", KINDS)
def test_pieces_differ_without_their_colours(kind: str) -> None:
    drawn = {name: load_art()[name].draw(Theme.STANDARD, ColourRole.TEXT) for name in KINDS[kind]}
    alike = [pair for pair in combinations(drawn, 2) if difference(*(drawn[name] for name in pair)) < MIN_DIFFERENCE]
    assert alike == []


def test_a_difference_in_colour_alone_is_detected() -> None:
    star = load_art()["houdinis_baggage/star"]
    assert (
        difference(star.draw(Theme.STANDARD, ColourRole.RED), star.draw(Theme.STANDARD, ColourRole.YELLOW))
        < MIN_DIFFERENCE
    )


@each_case("name", load_art())
def test_a_piece_names_colour_roles_and_contains_only_shapes(name: str) -> None:
    source = load_art()[name].source
    assert FORBIDDEN_SVG.findall(source) == []
    assert len(source) <= LARGEST


@each_case("name", load_art())
def test_a_piece_is_as_wide_and_high_as_it_says(name: str) -> None:
    piece = load_art()[name]
    view = VIEW.search(piece.source)
    assert view is not None
    width, height = piece.size
    assert float(view[1]) * height == pytest.approx(float(view[2]) * width, rel=0.01)


@each_case("theme", Theme)
@each_case("name", load_art())
def test_a_piece_is_visible_in_every_theme(name: str, theme: Theme) -> None:
    piece = load_art()[name]
    drawn = piece.draw(theme, ColourRole.PAPER)
    assert drawn.size == piece.size
    colours = drawn.getcolors(drawn.width * drawn.height) or []
    # Scenery is translucent, so its colours are rounded.
    seen = {pixel[:3] for count, pixel in colours if count > 9 and isinstance(pixel, tuple) and pixel[3] > 60}
    inks = {colour_of(theme, ink) for ink in ColourRole} - {colour_of(theme, ColourRole.SURFACE)}
    assert any(all(abs(a - b) < 4 for a, b in zip(pixel, ink, strict=True)) for pixel in seen for ink in inks)
