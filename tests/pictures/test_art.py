"""All art there is: drawn in the inks of a theme, at the size it says, and nothing else."""

import re
from dataclasses import replace
from itertools import combinations, product

import pytest
from PIL import Image, ImageChops, ImageStat

from bot.pictures.art import ArtFile
from bot.pictures.themes import colour_of
from bot.rules.picture import FELT, ColourRole, Rect, Sprite, Surface, Theme
from tests.pictures.golden import games, make_sprite_cache
from tests.support.each_case import each_case
from tests.support.picture_checks import load_art

pytestmark = pytest.mark.slow

FORBIDDEN_SVG = re.compile(r"#[0-9a-fA-F]{3,8}\b|rgb|<text|<image|<style|<script|href|font", re.ASCII)
VIEW = re.compile(r'viewBox="0 0 (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)"')
LARGEST = 40_000
"""Bytes of a file: art is drawn by hand, not traced."""

SCENERY = frozenset(
    {
        "rays",
        "change/middle",
        *("fortune/cover", "fortune/scene-battle", "fortune/scene-calm", "fortune/scene-island", "fortune/scene-storm"),
        *("fortune/rays-bust", "fortune/rays-triumph"),
        *("houdinis_baggage/cover", "houdinis_baggage/rays", "houdinis_baggage/stage"),
        *("magic_bag/cover", "magic_bag/velvet"),
        *("magpie/cover", "magpie/nest", "magpie/shine", "magpie/tree"),
    }
)
"""Fills a picture or a frame up to its edges, which cut off hills, beams and leaves on purpose."""
MARGIN = 4
"""How many pixels around a piece are looked at."""

COLOURS, SHAPES = ("red", "green", "blue", "yellow"), ("circle", "square", "star", "triangle")
HABITS = (
    *("habits", "excuses", "desires", "greed", "gossip", "envy", "vanity", "anger", "pride"),
    *("fear", "doubt", "worry", "grudges", "blame", "resentment", "selfishness", "control", "denial"),
)
KINDS = {
    "habits": [f"change/space-{habit}" for habit in HABITS],
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


def solid_area(piece: ArtFile) -> tuple[int, int, int, int]:
    """Return left, top, right and bottom of what a piece would show if its edges cut nothing off."""
    (width, height), view = piece.size, VIEW.search(piece.source)
    assert view is not None
    across, down = float(view[1]) * MARGIN / width, float(view[2]) * MARGIN / height
    wider = f'viewBox="{-across} {-down} {float(view[1]) + 2 * across} {float(view[2]) + 2 * down}"'
    uncut = replace(piece, source=piece.source.replace(view[0], wider))
    drawn = uncut.draw(Theme.STANDARD, None, (width + 2 * MARGIN, height + 2 * MARGIN))
    # An edge is smoothed over a pixel, of which less than half is solid.
    box = drawn.getchannel("A").point(lambda alpha: 255 if alpha > 127 else 0).getbbox()
    assert box is not None
    return box


@each_case("name", sorted(load_art().keys() - SCENERY))
def test_a_piece_lies_within_its_edges(name: str) -> None:
    piece = load_art()[name]
    left, top, right, bottom = solid_area(piece)
    width, height = piece.size
    # Points and curves of outlines may stand out by a pixel, which nobody sees.
    assert min(left, top) >= MARGIN - 1
    assert (right, bottom) <= (MARGIN + width + 1, MARGIN + height + 1)


def test_a_piece_is_visible_in_every_theme() -> None:
    # What is drawn here is kept for other tests, and for the next run.
    cache = make_sprite_cache(Theme.STANDARD)
    cache.prepare()
    for name, piece in load_art().items():
        game = games().get(name.partition("/")[0])
        surface = FELT if game is None else game.look.surface
        drawn = cache.bitmap(Sprite(name, Rect(0, 0, *piece.size)), surface)
        assert drawn.size == piece.size
        named = {ColourRole(word) for word in re.findall(r"var\(--([a-z0-9-]+)\)", piece.source)}
        roles = visible_roles(drawn, surface) & (named | {ColourRole.PAPER} if piece.is_tinted else named)
        # Ink is for dice and cards.
        ground = ColourRole.PAPER if roles == {ColourRole.TEXT} else ColourRole.SURFACE
        for theme in Theme:
            assert {colour_of(theme, role, surface) for role in roles} - {colour_of(theme, ground, surface)}, name


def visible_roles(drawn: Image.Image, surface: Surface) -> set[ColourRole]:
    """Return the roles whose colours cover more than a few pixels."""
    colours = drawn.getcolors(drawn.width * drawn.height) or []
    # Scenery is translucent, so its colours are rounded.
    seen = {pixel[:3] for count, pixel in colours if count > 9 and isinstance(pixel, tuple) and pixel[3] > 60}
    inks = {role: colour_of(Theme.STANDARD, role, surface) for role in ColourRole}
    return {
        role
        for role, ink in inks.items()
        if any(all(abs(a - b) < 4 for a, b in zip(pixel, ink, strict=True)) for pixel in seen)
    }
