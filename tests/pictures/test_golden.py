"""What is drawn looks like the golden pictures, and what looks otherwise is noticed."""

import re
from pathlib import Path

import pytest
from PIL import Image

from bot.rules.picture import Theme
from bot.tools.picture_names import BANNER, CARD, GAME_LIST, LOBBY
from bot.tools.showcases import list_showcases
from tests.pictures.golden import (
    ALL_GAMES,
    FOLDER,
    SCALE_DIVISOR,
    TOLERANCE,
    difference,
    games,
    golden_path,
    guide_layouts,
    layout_digest,
    make_picture,
    names,
    names_of,
    read_layouts,
    render_small,
)

ROOT = Path(__file__).parents[2]
ANEW = "draw the golden pictures again with `python -m tests.pictures.golden`, and look at them"


@pytest.mark.parametrize("key", [*games(), ALL_GAMES])
@pytest.mark.slow
def test_the_scenes_of_a_game_look_like_their_golden_pictures(key: str) -> None:
    assert [name for name in names_of(key) if not looks_like_its_golden_picture(key, name)] == [], ANEW


def looks_like_its_golden_picture(key: str, name: str) -> bool:
    if not golden_path(key, name).exists():
        return False
    with Image.open(golden_path(key, name)) as golden:
        looks_alike = difference(render_small(make_picture(key, name)), golden.convert("RGB")) <= TOLERANCE
    return looks_alike and layout_digest(make_picture(key, name)) == read_layouts().get(golden_path(key, name).stem)


def test_the_pictures_of_guides_are_laid_out_as_before() -> None:
    made = {name: digest for key in games() for name, digest in guide_layouts(key).items()}
    assert made == {name: digest for name, digest in read_layouts().items() if "-guide-" in name}, ANEW


def test_every_golden_picture_has_a_scene() -> None:
    assert sorted(FOLDER.glob("*.png")) == sorted(golden_path(key, name) for key, name in names()), ANEW


def test_every_game_with_pictures_has_a_few_scenes() -> None:
    assert games()
    for package in games().values():
        called = [scene.name for scene in list_showcases(package.game.info.key)]
        assert 3 <= len(called) == len(set(called)) <= 12


def test_lobbies_banners_cards_and_the_list_of_games_are_looked_at_too() -> None:
    for key, package in games().items():
        assert {LOBBY, CARD} <= set(names_of(key))
        assert (BANNER in names_of(key)) is not package.look.draws_moments
    assert ("fortune", "storm") in names()
    assert (ALL_GAMES, GAME_LIST) in names()


def test_the_readme_shows_pictures_of_every_game_as_the_gallery_draws_them_now() -> None:
    shown = re.findall(r"\(docs/pictures/([^)]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert sorted(shown) == sorted(file.name for file in (ROOT / "docs" / "pictures").iterdir())
    assert {file.split("-")[0] for file in shown} == set(games())
    drawn = {
        f"{key}-{name}-{theme.value.replace('_', '-')}.png": (key, name, theme)
        for key, name in names()
        for theme in Theme
    }
    for file in shown:
        key, name, theme = drawn[file]
        path = ROOT / "docs" / "pictures" / file
        assert path.stat().st_size <= 80 * 1024
        with Image.open(path) as there:
            smaller = there.convert("RGB").reduce(SCALE_DIVISOR)
        assert difference(render_small(make_picture(key, name), theme), smaller) <= TOLERANCE, (
            f"run the gallery for {file}"
        )
