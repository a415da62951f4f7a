"""The colour roles of all themes: distinguishable with any kind of colour vision, and legible."""

from functools import cache
from itertools import combinations, product
from math import dist

import pytest

from bot.pictures.themes import Colour, colour_of, mix_colours, palette_colours
from bot.rules.picture import FELT, ColourRole, Theme, seat_colour, text_colour_on
from bot.words import seat_emoji
from tests.support.each_case import each_case
from tests.support.games import load_games_once

Matrix = tuple[tuple[float, float, float], ...]

VISIONS: dict[str, Matrix] = {
    "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    # Machado, Oliveira and Fernandes (2009), for the whole lack of one kind of cone.
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}

SEATS = tuple(seat_colour(seat) for seat in range(6))
GAME_COLOURS = (
    ColourRole.RED,
    ColourRole.GREEN,
    ColourRole.BLUE,
    ColourRole.YELLOW,
    ColourRole.VIOLET,
    ColourRole.BLACK,
    ColourRole.WHITE,
    ColourRole.GREY,
)
STATE_COLOURS = (ColourRole.MARK, ColourRole.NEW, ColourRole.GOLD)
KINDS = {
    "seats": SEATS,
    "colours of games": GAME_COLOURS,
    "standings": STATE_COLOURS,
    "good or bad": (ColourRole.GOOD, ColourRole.BAD),
}

MIN_DIFFERENCE = 20.0
"""A difference in CIELAB that is seen at a glance."""

JUST_NOTICEABLE = 2.3
"""What can just be told apart side by side."""

LEGIBLE, VISIBLE = 4.5, 3.0
"""The contrasts that WCAG 2 asks of text and of shapes."""

TEXTS = [
    *product((ColourRole.SURFACE_TEXT, ColourRole.SURFACE_TEXT_FAINT), (ColourRole.SURFACE, ColourRole.SURFACE_SHADE)),
    *product((ColourRole.TEXT, ColourRole.TEXT_FAINT), (ColourRole.PAPER, ColourRole.PAPER_SHADE)),
    *product((ColourRole.TEXT,), (*SEATS, *STATE_COLOURS, ColourRole.GOOD, ColourRole.BAD)),
    *((text_colour_on(ink), ink) for ink in (*GAME_COLOURS, *SEATS)),
]
SHAPES = [*SEATS, *STATE_COLOURS, ColourRole.SURFACE_LINE, ColourRole.PAPER]
SURFACES = {"felt": FELT} | {key: package.look.surface for key, package in load_games_once().items()}


def linear(colour: Colour) -> tuple[float, float, float]:
    """Return how much light there is of each colour, from 0 to 1."""
    parts = (part / 255 for part in colour)
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return red, green, blue


def times(matrix: Matrix, light: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(sum(share * part for share, part in zip(row, light, strict=True)) for row in matrix)


def luminance(colour: Colour) -> float:
    return times(((0.2126, 0.7152, 0.0722),), linear(colour))[0]


@cache
def contrast(one: Colour, other: Colour) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def lab(colour: Colour, vision: Matrix) -> tuple[float, float, float]:
    """Return a colour in CIELAB, as seen with a kind of colour vision."""
    seen = tuple(min(1.0, max(0.0, part)) for part in times(vision, linear(colour)))
    to_xyz = ((0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505))
    white = (0.9505, 1.0, 1.089)
    parts = (part / full for part, full in zip(times(to_xyz, seen), white, strict=True))
    x, y, z = (part ** (1 / 3) if part > 216 / 24389 else (24389 / 27 * part + 16) / 116 for part in parts)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_contrast_and_distance_match_published_examples() -> None:
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((119, 119, 119), (255, 255, 255)) == pytest.approx(4.48, abs=0.01)
    assert lab((255, 0, 0), VISIONS["usual"]) == pytest.approx((53.2, 80.1, 67.2), abs=0.2)
    red, green = (lab(colour, VISIONS["deuteranopia"]) for colour in ((200, 90, 60), (125, 125, 40)))
    assert (
        dist(red, green)
        < MIN_DIFFERENCE
        < dist(*(lab(each, VISIONS["usual"]) for each in ((200, 90, 60), (125, 125, 40))))
    )


@each_case("vision", VISIONS)
@each_case("kind", KINDS)
@each_case("theme", Theme)
def test_colour_roles_of_a_kind_are_distinguishable(theme: Theme, kind: str, vision: str) -> None:
    seen = {ink: lab(colour_of(theme, ink), VISIONS[vision]) for ink in KINDS[kind]}
    close = [(one, other) for one, other in combinations(seen, 2) if dist(seen[one], seen[other]) < MIN_DIFFERENCE]
    assert close == []


@each_case("theme", Theme)
def test_what_is_new_differs_from_every_seat_colour(theme: Theme) -> None:
    for vision in VISIONS.values():
        new = lab(colour_of(theme, ColourRole.NEW), vision)
        assert all(dist(new, lab(colour_of(theme, seat), vision)) >= MIN_DIFFERENCE for seat in SEATS)


@each_case("text, ground", TEXTS)
@each_case("theme", Theme)
def test_text_is_legible_on_its_ground(theme: Theme, text: ColourRole, ground: ColourRole) -> None:
    unreadable = {
        key: (text, ground)
        for key, surface in SURFACES.items()
        if contrast(colour_of(theme, text, surface), colour_of(theme, ground, surface)) < LEGIBLE
    }
    assert unreadable == {}


@each_case("text", (ColourRole.SURFACE_TEXT, ColourRole.SURFACE_TEXT_FAINT))
@each_case("theme", Theme)
def test_the_text_of_the_list_of_games_is_legible_on_the_surface_of_each(theme: Theme, text: ColourRole) -> None:
    grounds = {key: colour_of(theme, ColourRole.SURFACE, surface) for key, surface in SURFACES.items()}
    assert [key for key, ground in grounds.items() if contrast(colour_of(theme, text), ground) < LEGIBLE] == []


@each_case("shape", SHAPES)
@each_case("theme", Theme)
def test_shapes_are_visible_on_every_surface(theme: Theme, shape: ColourRole) -> None:
    faint = {
        key: shape
        for key, surface in SURFACES.items()
        if contrast(colour_of(theme, shape, surface), colour_of(theme, ColourRole.SURFACE, surface)) < VISIBLE
    }
    assert faint == {}


@each_case("key", SURFACES)
def test_high_contrast_has_the_highest_contrast_and_dark_the_least_light(key: str) -> None:
    pairs = [
        (ColourRole.SURFACE_TEXT, ColourRole.SURFACE),
        (ColourRole.TEXT, ColourRole.PAPER),
        (ColourRole.TEXT_FAINT, ColourRole.PAPER),
        (ColourRole.SURFACE_LINE, ColourRole.SURFACE),
    ]
    for one, other in pairs:
        high, *rest = (
            contrast(colour_of(theme, one, SURFACES[key]), colour_of(theme, other, SURFACES[key]))
            for theme in (Theme.HIGH_CONTRAST, Theme.STANDARD, Theme.DARK)
        )
        assert high > max(rest)
    for role in (ColourRole.SURFACE, ColourRole.PAPER, ColourRole.PAPER_SHADE, ColourRole.SURFACE_TEXT):
        dark, usual = (luminance(colour_of(theme, role, SURFACES[key])) for theme in (Theme.DARK, Theme.STANDARD))
        assert dark < usual


@each_case("theme", Theme)
@each_case("ground", [ColourRole.SURFACE, ColourRole.SURFACE_SHADE])
def test_surfaces_of_games_are_told_apart_but_in_high_contrast_all_are_black(ground: ColourRole, theme: Theme) -> None:
    if theme is Theme.HIGH_CONTRAST and ground is ColourRole.SURFACE:
        assert {colour_of(theme, ground, surface) for surface in SURFACES.values()} == {(0, 0, 0)}
        return
    seen = [lab(colour_of(theme, ground, surface), VISIONS["usual"]) for surface in set(SURFACES.values())]
    assert min(dist(one, other) for one, other in combinations(seen, 2)) > JUST_NOTICEABLE


@each_case("seat, hue", [*enumerate(("blue", "orange", "green", "purple", "yellow", "red"))])
@each_case("theme", Theme)
def test_a_seat_has_the_colour_of_its_square_in_texts(theme: Theme, seat: int, hue: str) -> None:
    squares = {"blue": "🟦", "orange": "🟧", "green": "🟩", "purple": "🟪", "yellow": "🟨", "red": "🟥"}
    assert seat_emoji(seat) == squares[hue]
    models = {
        "blue": (40, 110, 220),
        "orange": (240, 140, 20),
        "green": (70, 200, 110),
        "purple": (160, 90, 220),
        "yellow": (250, 230, 60),
        "red": (230, 50, 60),
    }
    mine = lab(colour_of(theme, seat_colour(seat)), VISIONS["usual"])[1:]
    nearest = min(models, key=lambda name: dist(mine, lab(models[name], VISIONS["usual"])[1:]))
    assert nearest == hue


@each_case("theme", Theme)
@each_case("key", SURFACES)
def test_a_file_holds_every_colour_role_and_the_colours_of_smooth_edges(key: str, theme: Theme) -> None:
    held = palette_colours(theme, SURFACES[key])
    assert len(set(held)) == len(held) <= 256
    assert {colour_of(theme, ink, SURFACES[key]) for ink in ColourRole} <= set(held)
    edge = mix_colours(colour_of(theme, ColourRole.SURFACE, SURFACES[key]), colour_of(theme, ColourRole.PAPER), 0.5)
    assert min(max(abs(a - b) for a, b in zip(edge, other, strict=True)) for other in held) < 8


def test_a_mixture_has_its_share_of_the_other_colour() -> None:
    assert mix_colours((0, 100, 200), (100, 0, 200), 0.25) == (25, 75, 200)
