"""Themes: what each ink looks like, and which colours a file may hold."""

from functools import cache
from itertools import chain
from typing import TypeAlias

from bot.rules.picture import Ink, Theme

Colour: TypeAlias = tuple[int, int, int]

STANDARD: dict[Ink, str] = {
    Ink.FELT: "#17413b",
    Ink.FELT_SHADE: "#0e2e2a",
    Ink.FELT_LINE: "#5f968b",
    Ink.CHALK: "#f6f3e8",
    Ink.CHALK_FAINT: "#b4cbc4",
    Ink.PAPER: "#f7f0de",
    Ink.PAPER_SHADE: "#ddd0b3",
    Ink.TEXT: "#1a2130",
    Ink.TEXT_FAINT: "#54586a",
    Ink.MARK: "#ffe14d",
    Ink.NEW: "#f7a8ff",
    Ink.GOLD: "#d9a23a",
    Ink.GOOD: "#a6ecbd",
    Ink.BAD: "#ee6450",
    Ink.SEAT_1: "#5a8fb4",
    Ink.SEAT_2: "#e78b05",
    Ink.SEAT_3: "#89f2bd",
    Ink.SEAT_4: "#b367fa",
    Ink.SEAT_5: "#fff687",
    Ink.SEAT_6: "#f94657",
    Ink.RED: "#c11d1d",
    Ink.GREEN: "#44b069",
    Ink.BLUE: "#204db9",
    Ink.YELLOW: "#ecc835",
    Ink.VIOLET: "#70467f",
    Ink.BLACK: "#22242c",
    Ink.WHITE: "#ffffff",
    Ink.GREY: "#8d949c",
}

HIGH_CONTRAST: dict[Ink, str] = {
    **STANDARD,
    Ink.FELT: "#05090f",
    Ink.FELT_SHADE: "#1c242e",
    Ink.FELT_LINE: "#8b98a8",
    Ink.CHALK: "#ffffff",
    Ink.CHALK_FAINT: "#dfe6ee",
    Ink.PAPER: "#ffffff",
    Ink.PAPER_SHADE: "#d4d8de",
    Ink.TEXT: "#000000",
    Ink.TEXT_FAINT: "#33363d",
    Ink.MARK: "#ffee00",
}

_HEX: dict[Theme, dict[Ink, str]] = {Theme.STANDARD: STANDARD, Theme.HIGH_CONTRAST: HIGH_CONTRAST}

_GROUNDS = {
    Ink.FELT: (0.25, 0.5, 0.75),
    Ink.PAPER: (0.25, 0.5, 0.75),
    Ink.TEXT: (1 / 3, 2 / 3),
    Ink.FELT_SHADE: (0.5,),
}
"""What everything else borders on, and the shares of it in the shades between: smooth edges need them."""

_APART = 8
"""By how much the colours of a file differ at least, in one of their parts."""


def hex_of(theme: Theme, ink: Ink) -> str:
    """Return an ink as it is written in SVG."""
    return _HEX[theme][ink]


@cache
def colour_of(theme: Theme, ink: Ink) -> Colour:
    """Return an ink in red, green and blue."""
    digits = hex_of(theme, ink)
    return int(digits[1:3], 16), int(digits[3:5], 16), int(digits[5:7], 16)


@cache
def shade_of(theme: Theme, ink: Ink) -> Colour:
    """Return what a pattern on an ink is drawn in: darker on what is light, lighter on what is dark."""
    red, green, blue = colour_of(theme, ink)
    is_light = 0.3 * red + 0.6 * green + 0.1 * blue > 120
    return mixed((red, green, blue), (0, 0, 0) if is_light else (255, 255, 255), 0.28)


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """Return a colour with so large a share of the other in it."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


@cache
def file_colours(theme: Theme) -> tuple[Colour, ...]:
    """Return the colours of a file: every ink, and the shades between it and what it borders on; 256 at most."""
    inks = [colour_of(theme, ink) for ink in Ink]
    shades = [shade_of(theme, ink) for ink in Ink]
    between = (
        mixed(ink, colour_of(theme, ground), share)
        for ground, shares in _GROUNDS.items()
        for ink in inks
        for share in shares
    )
    held = dict.fromkeys(inks)
    for colour in chain(shades, between):
        # Pillow looks colours up in steps of four: what is closer than that would take the place of an ink.
        if all(max(abs(a - b) for a, b in zip(colour, other, strict=True)) >= _APART for other in held):
            held[colour] = None
    return tuple(held)[:256]
