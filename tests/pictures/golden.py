"""Golden pictures: a few moments of every game, small, to compare with what is drawn now.

`python -m tests.pictures.golden` draws them again, with `--game KEY` those of one game. Look at each before committing.
A digest of each layout notices what is too small to be seen in them, such as another radius.
"""

from argparse import ArgumentParser
from functools import cache, partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any, cast

from PIL import Image, ImageChops

from bot.features.help.messages import draw_game_list
from bot.pictures.art import read_art
from bot.pictures.painter import Painter
from bot.pictures.renderer import Renderer
from bot.pictures.sprite_cache import SpriteCache
from bot.platform.content import DATA
from bot.rules.picture import Picture, Theme
from bot.tables.registry import AnyPackage
from bot.tools.contract.contract import option_choices
from bot.tools.gallery_pictures import (
    draw_all_badges,
    draw_day,
    draw_profile,
    draw_resigned,
    draw_result,
    further_pictures,
)
from bot.tools.gallery_tournaments import draw_tournaments
from bot.tools.picture_names import BADGES, DAY, GAME_LIST, PROFILE, RESIGNED, RESULT, picture_names
from bot.tools.showcase_search import find_moments, picture_of
from bot.tools.showcases import ShownState, list_showcases
from tests.support.games import load_games_once
from tests.support.processes import PICTURE_FOLDER

FOLDER = Path(__file__).parent / "golden"
LAYOUTS = FOLDER / "layouts.txt"
SCALE_DIVISOR = 4
BLOCK = 8
"""The side of the squares that are compared, in pixels of the small pictures."""

TOLERANCE = 16.0
"""By how much a square may differ on average, of 255: other versions of the libraries smooth edges differently."""


@cache
def games() -> dict[str, AnyPackage]:
    """Return the games that have pictures, by their keys."""
    return {key: package for key, package in load_games_once().items() if package.look.build_picture is not None}


ALL_GAMES = "all"
"""Stands for a game in the name of the picture that shows them all."""


def names() -> list[tuple[str, str]]:
    """Name every golden picture by its game and its scene, or what else it shows."""
    return [(key, name) for key in (*games(), ALL_GAMES) for name in names_of(key)]


def names_of(key: str) -> list[str]:
    """Name the golden pictures of a game."""
    return (
        [GAME_LIST, BADGES, PROFILE, DAY, *tournaments_once()]
        if key == ALL_GAMES
        else [*picture_names(games()[key]), *further_pictures_once(key)]
    )


@cache
def make_picture(key: str, name: str) -> Picture:
    """Return the picture of a scene, or what else the gallery shows."""
    if key == ALL_GAMES:
        if name in tournaments_once():
            return tournaments_once()[name]
        packages = list(games().values())
        draw = {
            GAME_LIST: partial(draw_game_list, packages),
            BADGES: partial(draw_all_badges, packages),
            PROFILE: partial(draw_profile, games()),
            DAY: partial(draw_day, games()),
        }[name]
        return draw()
    package = games()[key]
    if name in further_pictures_once(key):
        return further_pictures_once(key)[name]
    if name == RESIGNED:
        return draw_resigned(package)
    if name == RESULT:
        return draw_result(package)
    scene = next(scene for scene in list_showcases(package.game.info.key) if scene.name == name)
    found = picture_of(package, find_moments_once(key)[name], scene.hand_seat)
    assert found is not None, f"{key} has a scene that nothing pictures: {name}"
    return found


@cache
def further_pictures_once(key: str) -> dict[str, Picture]:
    """Return the pictures of a game that are no scenes."""
    return dict(further_pictures(games()[key]))


@cache
def tournaments_once() -> dict[str, Picture]:
    """Return the pictures of tournaments."""
    return dict(draw_tournaments())


@cache
def find_moments_once(key: str) -> dict[str, ShownState[Any, Any]]:
    """Return the moments of a game's showcases."""
    package = games()[key]
    return find_moments(package, list_showcases(package.game.info.key))


@cache
def make_painter(theme: Theme) -> Painter:
    """Return a painter for a theme."""
    return Painter(theme, make_sprite_cache(theme))


def make_sprite_cache(theme: Theme) -> SpriteCache:
    """Return a cache for the sprites of a theme, with the art that bots of other tests have drawn and kept."""
    surfaces = {key: package.look.surface for key, package in games().items()}
    return SpriteCache(read_art(DATA), theme, PICTURE_FOLDER, surfaces)


@cache
def make_renderer(theme: Theme) -> Renderer:
    """Return a renderer for a theme."""
    return Renderer(make_painter(theme), theme)


def render_small(picture: Picture, theme: Theme = Theme.STANDARD) -> Image.Image:
    """Draw a picture as small as the golden ones."""
    return make_painter(theme).paint(picture).reduce(SCALE_DIVISOR)


def golden_path(key: str, name: str) -> Path:
    """Return where a golden picture lies."""
    return FOLDER / f"{key}-{name}.png"


def layout_digest(picture: Picture) -> str:
    """Return a digest of all marks of a picture."""
    return sha256(repr(picture).encode()).hexdigest()[:16]


def guide_layouts(key: str) -> dict[str, str]:
    """Return the digests of the pictures in a game's guide, each option's pages included."""
    package = games()[key]
    model = package.game.info.options
    tried = ({name: value} for name, values in option_choices(model).items() for value in values)
    pages = (page for chosen in ({}, *tried) for page in package.study.guide.build_pages(model.model_validate(chosen)))
    pictures = {page.title: page.build_picture for page in pages}
    return {
        f"{key}-guide-{title.lower().replace(' ', '-')}": layout_digest(build()) for title, build in pictures.items()
    }


def read_layouts() -> dict[str, str]:
    """Return the digests of the golden pictures' layouts by the names of their files."""
    lines = LAYOUTS.read_text(encoding="utf-8").splitlines() if LAYOUTS.exists() else []
    return dict(line.split(" ") for line in lines)


def difference(one: Image.Image, other: Image.Image) -> float:
    """Return by how much the squares differ that differ most, of 255."""
    if one.size != other.size:
        return 255.0
    width, height = one.size
    channels = [channel.convert("F") for channel in ImageChops.difference(one, other).split()]
    starts = product(range(0, min(BLOCK, width), BLOCK // 2), range(0, min(BLOCK, height), BLOCK // 2))
    grids = [(left, top, width, height) for left, top in starts]
    means = (channel.crop(grid).reduce(BLOCK) for channel in channels for grid in grids)
    return max(cast(tuple[float, float], each.getextrema())[1] for each in means)


def draw(key: str | None = None) -> None:
    """Draw the golden pictures of a game again, or of all games."""
    FOLDER.mkdir(exist_ok=True)
    for file in FOLDER.glob("*.png" if key is None else f"{key}-*.png"):
        file.unlink()
    before, layouts = read_layouts(), dict[str, str]()
    for each, name in names():
        path = golden_path(each, name)
        if key in (None, each):
            render_small(make_picture(each, name)).save(path, optimize=True)
            layouts[path.stem] = layout_digest(make_picture(each, name))
        elif path.stem in before:
            layouts[path.stem] = before[path.stem]
    for each in games():
        if key in (None, each):
            layouts |= guide_layouts(each)
        else:
            layouts |= {name: digest for name, digest in before.items() if name.startswith(f"{each}-guide-")}
    LAYOUTS.write_text("".join(f"{name} {digest}\n" for name, digest in sorted(layouts.items())), encoding="utf-8")


def main() -> None:
    """Read the command line."""
    parser = ArgumentParser(prog="python -m tests.pictures.golden", description="Draw the golden pictures again.")
    parser.add_argument("--game", choices=games(), help="only this game")
    draw(parser.parse_args().game)


if __name__ == "__main__":
    main()
