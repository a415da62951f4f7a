"""The telling moments of every game, drawn in every theme: small files, in which every text can be read."""

from collections.abc import Sequence
from dataclasses import replace
from typing import cast

import pytest

from bot.pictures.fonts import text_bounds_of
from bot.pictures.painter import area_of
from bot.pictures.themes import Colour, colour_of
from bot.rules.picture import Label, Mark, Picture, Theme
from bot.tools.showcases import list_showcases
from tests.pictures.golden import ALL_GAMES, games, make_painter, make_picture, make_renderer, names_of
from tests.pictures.test_themes import LEGIBLE, contrast
from tests.support.each_case import each_case
from tests.support.picture_checks import find_flaws

MOST_BYTES = 120 * 1024
LEAST_LEGIBLE = 0.97
"""The share of the ground behind a text that must contrast with it; the rest is a smooth edge."""


@pytest.mark.parametrize("key", [*games(), ALL_GAMES])
def test_the_scenes_of_a_game_have_no_flaws(key: str) -> None:
    flaws = {name: list(find_flaws(make_picture(key, name))) for name in names_of(key)}
    assert flaws == {name: [] for name in flaws}


@pytest.mark.parametrize("key", [*games(), ALL_GAMES])
@pytest.mark.slow
def test_the_scenes_of_a_game_make_small_files(key: str) -> None:
    """Themes differ in colours alone, which changes the size by 5 % at most."""
    sizes = {name: len(make_renderer(Theme.STANDARD).render(make_picture(key, name))) for name in names_of(key)}
    assert {name: size for name, size in sizes.items() if size >= MOST_BYTES} == {}


@pytest.mark.parametrize("key", [*games(), ALL_GAMES])
@each_case("theme", Theme)
@pytest.mark.slow
def test_every_text_of_a_games_scenes_has_enough_contrast(key: str, theme: Theme) -> None:
    found = {name: illegible(make_picture(key, name), theme) for name in names_of(key)}
    assert found == {name: [] for name in found}


def illegible(picture: Picture, theme: Theme) -> list[str]:
    """Return the texts that can't be read on what lies below them."""
    labels = [mark for mark in picture.iter_marks() if isinstance(mark, Label)]
    canvas = make_painter(theme).paint(below_texts(picture, labels))
    found: list[str] = []
    for label in labels:
        room, ink = text_bounds_of(label), colour_of(theme, label.colour, picture.surface)
        crop = canvas.crop((room.x, room.y, room.right, room.bottom))
        colours = cast(list[tuple[int, Colour]], crop.getcolors(room.width * room.height))
        legible = sum(count for count, ground in colours if contrast(ink, ground) >= LEGIBLE)
        if legible < LEAST_LEGIBLE * room.width * room.height:
            found.append(label.text)
    return found


def below_texts(picture: Picture, labels: Sequence[Label]) -> Picture:
    """Return a picture with nothing but what lies below its texts."""
    texts = [text_bounds_of(label) for label in labels]

    def rest(marks: tuple[Mark, ...]) -> tuple[Mark, ...]:
        grounds = (mark for mark in marks if not isinstance(mark, Label))
        return tuple(mark for mark in grounds if any(area_of(mark).overlaps(text) for text in texts))

    return replace(picture, backdrop=rest(picture.backdrop), marks=rest(picture.marks))


@pytest.mark.parametrize("key", games())
def test_the_tables_of_a_game_are_no_higher_than_its_messages_reckon_with(key: str) -> None:
    package = games()[key]
    tables = [scene.name for scene in list_showcases(package.game.info.key) if scene.hand_seat is None]
    assert max(make_picture(key, name).size[1] for name in tables) <= package.look.picture_height
