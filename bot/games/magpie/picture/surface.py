"""The surface of the pictures: the leaves around a nest."""

from typing import Final

from bot.rules.picture import Surface, SurfaceColours

SURFACE: Final = Surface(
    standard=SurfaceColours("#24452c", "#17301e", "#7ba47f", "#f6f3e8", "#bfd2b8"),
    dark=SurfaceColours("#141f17", "#0b130e", "#6b8f72", "#dcdacf", "#a8b8a3"),
    high_contrast=SurfaceColours("#021206", "#103018", "#8fb893", "#ffffff", "#def0de"),
    banner="magpie/banner",
)
