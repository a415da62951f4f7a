"""Every plate, bar and frame that says something is seen on what lies below it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

import pytest

from bot.pictures.themes import colour_of
from bot.rules.picture import Box, ColourRole, Label, Mark, Picture, Rect, Theme
from tests.pictures.golden import ALL_GAMES, games, make_picture, names_of
from tests.pictures.test_themes import LEGIBLE, SEATS, STATE_COLOURS, VISIBLE, contrast
from tests.support.each_case import each_case

TELLING = {*STATE_COLOURS, *SEATS, ColourRole.GOOD, ColourRole.BAD}
"""The colours that say something: who, what is new, what can be done, what counts."""


def faint_marks(picture: Picture, theme: Theme) -> Iterator[str]:
    """Yield the boxes in a telling colour of which neither fill nor edge nor text contrasts with what is below."""
    below: list[Mark] = []
    for mark, above in pairwise((*picture.iter_marks(), None)):
        if isinstance(mark, Box) and TELLING.intersection((mark.fill, mark.border)):
            ground = ground_of(mark.at, below)
            surface = mark.surface or picture.surface
            edges = [ink for ink in (mark.fill, mark.border) if ink is not None]
            seen = max(contrast(colour_of(theme, ink, surface), colour_of(theme, ground, surface)) for ink in edges)
            if seen < VISIBLE and not has_text(mark, above, theme, picture):
                yield f"{mark.fill} {mark.border} on {ground}: {seen:.1f} at {tuple(mark.at)}"
        if mark is not None:
            below.append(mark)


def ground_of(at: Rect, below: Sequence[Mark]) -> ColourRole:
    """Return the fill of the uppermost box below an area; lines and outlines, which may overlap, are none."""
    boxes = (each for each in reversed(below) if isinstance(each, Box) and not each.may_overlap)
    return next((each.fill for each in boxes if each.fill and each.at.contains(at)), ColourRole.SURFACE)


def has_text(plate: Box, above: Mark | None, theme: Theme, picture: Picture) -> bool:
    """Return whether the next mark is a text on a plate that can be read."""
    if plate.fill is None or not isinstance(above, Label) or not plate.at.contains(above.at):
        return False
    ink, ground = (colour_of(theme, role, picture.surface) for role in (above.colour, plate.fill))
    return contrast(ink, ground) >= LEGIBLE


@pytest.mark.parametrize("key", [*games(), ALL_GAMES])
@each_case("theme", Theme)
def test_what_says_something_is_seen_on_its_ground(key: str, theme: Theme) -> None:
    found = {name: list(faint_marks(make_picture(key, name), theme)) for name in names_of(key)}
    assert found == {name: [] for name in found}
