"""The checks of pictures, with the project's own art and font."""

from collections.abc import Iterator, Sequence

from bot.pictures.art import ArtFile
from bot.pictures.assets import DataAssets, load_assets
from bot.platform.content import DATA
from bot.rules.picture import Mark, Picture, Rect, Sprite
from bot.tools.contract import picture_checks

MAX_PICTURE_TOP = 230
"""Pixels from the top of a table's message on a phone to its picture."""

LEAST_PICTURE_SHARE = 0.5
"""How much of the height of an embed on a phone its picture has at least."""


def project_assets() -> DataAssets:
    """Return the art of `data/` and the font."""
    return load_assets(DATA)


def load_art() -> dict[str, ArtFile]:
    """Return all art there is."""
    return project_assets().art


def find_flaws(picture: Picture) -> Iterator[str]:
    """Yield a line for each flaw of a picture."""
    return picture_checks.find_flaws(picture, project_assets())


def find_narrow_names(picture: Picture) -> Iterator[str]:
    """Yield a line for each label in which a name of 16 letters would be cut."""
    return picture_checks.find_narrow_names(picture, project_assets())


def covered_area(mark: Mark) -> Rect:
    """Return what a mark covers."""
    return picture_checks.covered_area(mark, project_assets())


def faces_of_dice(marks: Sequence[Mark]) -> list[tuple[Sprite, int]]:
    """Return the ordinary dice among marks, in their order, with the pips that lie on them."""
    sprites = [mark for mark in marks if isinstance(mark, Sprite)]
    pips = [sprite.at for sprite in sprites if sprite.name == "pip"]
    return [(die, sum(map(die.at.contains, pips))) for die in sprites if die.name == "die"]
