"""The colours of each theme, and the palettes of files."""

from collections.abc import Iterable
from functools import lru_cache
from itertools import chain
from typing import TypeAlias

from bot.rules.picture import FELT, ColourRole, Surface, SurfaceColours, Theme

Colour: TypeAlias = tuple[int, int, int]

STANDARD: dict[ColourRole, str] = {
    ColourRole.PAPER: "#f7f0de",
    ColourRole.PAPER_SHADE: "#ddd0b3",
    ColourRole.TEXT: "#1a2130",
    ColourRole.TEXT_FAINT: "#54586a",
    ColourRole.MARK: "#ffe14d",
    ColourRole.NEW: "#f7a8ff",
    ColourRole.GOLD: "#d9a23a",
    ColourRole.GOOD: "#a6ecbd",
    ColourRole.BAD: "#ee6450",
    ColourRole.SEAT_1: "#5a8fb4",
    ColourRole.SEAT_2: "#e78b05",
    ColourRole.SEAT_3: "#89f2bd",
    ColourRole.SEAT_4: "#b367fa",
    ColourRole.SEAT_5: "#fff687",
    ColourRole.SEAT_6: "#f94657",
    ColourRole.RED: "#c11d1d",
    ColourRole.GREEN: "#44b069",
    ColourRole.BLUE: "#204db9",
    ColourRole.YELLOW: "#ecc835",
    ColourRole.VIOLET: "#70467f",
    ColourRole.BLACK: "#22242c",
    ColourRole.WHITE: "#ffffff",
    ColourRole.GREY: "#8d949c",
}

HIGH_CONTRAST: dict[ColourRole, str] = {
    **STANDARD,
    ColourRole.PAPER: "#ffffff",
    ColourRole.PAPER_SHADE: "#d4d8de",
    ColourRole.TEXT: "#000000",
    ColourRole.TEXT_FAINT: "#33363d",
    ColourRole.MARK: "#ffee00",
}

DARK: dict[ColourRole, str] = {
    **STANDARD,
    ColourRole.PAPER: "#c4bba6",
    ColourRole.PAPER_SHADE: "#aaa28f",
    ColourRole.TEXT: "#0f131b",
    ColourRole.TEXT_FAINT: "#262a36",
}

_HEX: dict[Theme, dict[ColourRole, str]] = {
    Theme.STANDARD: STANDARD,
    Theme.DARK: DARK,
    Theme.HIGH_CONTRAST: HIGH_CONTRAST,
}

_SURFACE_ROLES = (
    ColourRole.SURFACE,
    ColourRole.SURFACE_SHADE,
    ColourRole.SURFACE_LINE,
    ColourRole.SURFACE_TEXT,
    ColourRole.SURFACE_TEXT_FAINT,
)
"""The roles of a surface's colours, in their order."""

_BACKGROUND_SHARES = {
    ColourRole.SURFACE: (0.25, 0.5, 0.75),
    ColourRole.PAPER: (0.25, 0.5, 0.75),
    ColourRole.TEXT: (1 / 3, 2 / 3),
    ColourRole.SURFACE_SHADE: (0.5,),
}
"""Background colours, and their shares in the intermediate colours that smooth edges need."""

_MIN_COLOUR_DIFFERENCE = 8
"""The least difference between two palette colours, in one of their components."""


def hex_of(theme: Theme, role: ColourRole, surface: Surface = FELT) -> str:
    """Return a colour in hexadecimal."""
    if role in _SURFACE_ROLES:
        return _surface_colours(theme, surface)[_SURFACE_ROLES.index(role)]
    return _HEX[theme][role]


def _surface_colours(theme: Theme, surface: Surface) -> SurfaceColours:
    match theme:
        case Theme.STANDARD:
            return surface.standard
        case Theme.DARK:
            return surface.dark
        case Theme.HIGH_CONTRAST:
            return surface.high_contrast


def is_of_surface(role: ColourRole) -> bool:
    """Return whether a colour depends on the surface."""
    return role in _SURFACE_ROLES


def colour_of(theme: Theme, role: ColourRole, surface: Surface = FELT) -> Colour:
    """Return a colour as red, green and blue."""
    red, green, blue = bytes.fromhex(hex_of(theme, role, surface)[1:])
    return red, green, blue


def shade_of(theme: Theme, role: ColourRole, surface: Surface = FELT) -> Colour:
    """Return the colour of stripes: darker than a light colour, lighter than a dark one."""
    red, green, blue = colour_of(theme, role, surface)
    is_light = 0.3 * red + 0.6 * green + 0.1 * blue > 120
    return mix_colours((red, green, blue), (0, 0, 0) if is_light else (255, 255, 255), 0.28)


def mix_colours(one: Colour, other: Colour, share: float) -> Colour:
    """Return a mixture with a share of the other colour."""
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


@lru_cache(maxsize=64)
def palette_colours(theme: Theme, surface: Surface = FELT) -> tuple[Colour, ...]:
    """Return the palette of a file: all colours, and the intermediate ones of smooth edges; 256 at most.

    Cached, because choosing them takes 50 ms.
    """
    colours = [colour_of(theme, role, surface) for role in ColourRole]
    shades = [shade_of(theme, role, surface) for role in ColourRole]
    between = (
        mix_colours(colour, colour_of(theme, background, surface), share)
        for background, shares in _BACKGROUND_SHARES.items()
        for colour in colours
        for share in shares
    )
    return _add_distinct(colours, chain(shades, between))


def palette_of_several(theme: Theme, surfaces: Iterable[Surface], needed: Iterable[Colour]) -> tuple[Colour, ...]:
    """Return the palette of a file with several surfaces: their colours, and the needed ones that differ."""
    return _add_distinct([colour_of(theme, role, each) for each in surfaces for role in ColourRole], needed)


def _add_distinct(colours: Iterable[Colour], more: Iterable[Colour]) -> tuple[Colour, ...]:
    palette = dict.fromkeys(colours)
    for colour in more:
        # Pillow looks colours up in steps of four: closer ones would replace each other.
        if all(
            max(abs(a - b) for a, b in zip(colour, other, strict=True)) >= _MIN_COLOUR_DIFFERENCE for other in palette
        ):
            palette[colour] = None
    return tuple(palette)
