"""The surface of the pictures: velvet."""

from typing import Final

from bot.rules.picture import Surface, SurfaceColours

SURFACE: Final = Surface(
    standard=SurfaceColours("#3b2150", "#27133a", "#9f80b8", "#faf2ea", "#d3c2dd"),
    dark=SurfaceColours("#1d1426", "#120b19", "#9079a3", "#dfd8d2", "#b5a6be"),
    high_contrast=SurfaceColours("#150420", "#321148", "#b79acc", "#ffffff", "#ece0f2"),
    banner="magic_bag/banner",
)
