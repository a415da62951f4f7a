"""The telling moments of every game, drawn in every theme: small files, in which every text can be read."""

from dataclasses import replace
from typing import cast

import pytest

from bot.pictures.fonts import text_bounds_of
from bot.pictures.themes import Colour, colour_of
from bot.rules.picture import ColourRole, Label, Mark, Picture, Rect, Theme
from tests.pictures.golden import make_painter, make_picture, make_renderer, names
from tests.pictures.test_themes import LEGIBLE, contrast
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws

MOST_BYTES = 120 * 1024
LEAST_LEGIBLE = 0.97
"""The share of the ground behind a text that must contrast with it; the rest is a smooth edge."""


@pytest.mark.parametrize(("key", "name"), names())
def test_a_scene_has_no_flaws(key: str, name: str) -> None:
    assert list(find_flaws(make_picture(key, name))) == []


@pytest.mark.parametrize(("key", "name"), names())
@each_case("theme", Theme)
def test_a_scene_makes_a_small_file(key: str, name: str, theme: Theme) -> None:
    assert len(make_renderer(theme).render(make_picture(key, name))) < MOST_BYTES


@pytest.mark.parametrize(("key", "name"), names())
@each_case("theme", Theme)
def test_every_text_of_a_scene_has_enough_contrast(key: str, name: str, theme: Theme) -> None:
    assert illegible(make_picture(key, name), theme) == []


@each_case("theme", Theme)
def test_text_without_contrast_is_detected(theme: Theme) -> None:
    lost = Label("lost", Rect(10, 10, 100, 50), ColourRole.TEXT)
    picture = Picture((200, 100), (), (lost,), "text on the felt")
    assert illegible(picture, theme) == ["lost"]
    assert illegible(replace(picture, marks=(lost._replace(colour=ColourRole.CHALK),)), theme) == []


def illegible(picture: Picture, theme: Theme) -> list[str]:
    """Return the texts that can't be read on what lies below them."""
    canvas = make_painter(theme).paint(without_texts(picture))
    found: list[str] = []
    for label in (mark for mark in picture.iter_marks() if isinstance(mark, Label)):
        room, ink = text_bounds_of(label), colour_of(theme, label.colour)
        crop = canvas.crop((room.x, room.y, room.right, room.bottom))
        colours = cast(list[tuple[int, Colour]], crop.getcolors(room.width * room.height))
        legible = sum(count for count, ground in colours if contrast(ink, ground) >= LEGIBLE)
        if legible < LEAST_LEGIBLE * room.width * room.height:
            found.append(label.text)
    return found


def without_texts(picture: Picture) -> Picture:
    def rest(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
        return tuple(mark for mark in marks if not isinstance(mark, Label))

    return replace(picture, backdrop=rest(picture.backdrop), marks=rest(picture.marks))
