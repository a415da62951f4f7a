"""The checks of pictures, with the project's own art and font."""

from collections.abc import Iterator

from bot.content import DATA
from bot.pictures.art import ArtFile
from bot.pictures.assets import DataAssets, load_assets
from bot.rules.picture import Mark, Picture, Rect
from bot.rules.testing import picture_checks


def project_assets() -> DataAssets:
    """Return the art of `data/` and the font."""
    return load_assets(DATA)


def load_art() -> dict[str, ArtFile]:
    """Return all art there is."""
    return project_assets().art


def find_flaws(picture: Picture) -> Iterator[str]:
    """Yield a line for each flaw of a picture."""
    return picture_checks.find_flaws(picture, project_assets())


def covered_area(mark: Mark) -> Rect:
    """Return what a mark covers."""
    return picture_checks.covered_area(mark, project_assets())
