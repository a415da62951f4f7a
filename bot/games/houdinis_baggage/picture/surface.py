"""The surface of the pictures: the boards of a stage."""

from typing import Final

from bot.rules.picture import Surface, SurfaceColours

SURFACE: Final = Surface(
    standard=SurfaceColours("#4d1f24", "#341216", "#b57e74", "#fff3e4", "#e0c6b9"),
    dark=SurfaceColours("#241314", "#170a0b", "#a47a72", "#e2d8cc", "#bfaaa0"),
    high_contrast=SurfaceColours("#1a0406", "#3c1216", "#d49e96", "#ffffff", "#f4e0da"),
    banner="houdinis_baggage/banner",
)
