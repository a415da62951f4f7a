"""The surface of the pictures: the sea at night."""

from typing import Final

from bot.rules.picture import Surface, SurfaceColours

SURFACE: Final = Surface(
    standard=SurfaceColours("#123a5c", "#0a2640", "#5f98bd", "#f4f6ee", "#b5cddd"),
    dark=SurfaceColours("#0f1b28", "#081019", "#5f8dab", "#dadcd6", "#9fb4c2"),
    high_contrast=SurfaceColours("#001422", "#0a2c46", "#86b4d4", "#ffffff", "#d9e8f2"),
    banner="fortune/banner",
)
