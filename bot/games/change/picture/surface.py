"""The surface of the pictures: a sky at dusk."""

from typing import Final

from bot.rules.picture import Surface, SurfaceColours

SURFACE: Final = Surface(
    standard=SurfaceColours("#2b3158", "#1b1f3d", "#858cbd", "#f4f2ea", "#c3c7e0"),
    dark=SurfaceColours("#171a2b", "#0e101c", "#7b82ab", "#dadad4", "#a9adc4"),
    high_contrast=SurfaceColours("#06061c", "#1a1c42", "#9aa0d4", "#ffffff", "#e2e4f4"),
    banner="change/banner",
)
