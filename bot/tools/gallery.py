"""`gallery`: draws the showcases of games in all themes."""

import asyncio
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.console import fail, find_game, load_whole_games
from bot.tools.picture_names import BADGES, DAY, GAME_LIST, PROFILE, RESIGNED, RESULT
from bot.tools.showcases import list_showcases

if TYPE_CHECKING:
    from bot.rules.picture import Picture
    from bot.tables.registry import AnyPackage


def gallery(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="The folder for the pictures; created if missing.")],
    *,
    game: Annotated[str | None, typer.Option(help="Only this game, by its key.")] = None,
) -> None:
    """Draw the showcases of games in all themes as PNG files; exits with status 1 if a picture has flaws."""
    from bot.pictures.service import DrawingFailed
    from bot.tools.showcase_search import ShowcaseNotFound

    games = load_whole_games()
    packages = list(games.values()) if game is None else [find_game(games, game)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        drawn, flaws = asyncio.run(_draw_all(folder, packages))
    except OSError as fault:
        fail(f"The pictures can't be saved in {folder}: {fault}.")
    except (DrawingFailed, ShowcaseNotFound) as fault:
        fail(f"{fault}.")
    typer.echo(f"{drawn} pictures are in {folder}.")
    if flaws:
        fail(*flaws)


async def _draw_all(folder: Path, packages: "list[AnyPackage]") -> tuple[int, list[str]]:
    """Draw all pictures; return their number and their flaws."""
    from bot.pictures.assets import load_assets
    from bot.pictures.service import PictureService
    from bot.platform.content import DATA
    from bot.rules.picture import Theme
    from bot.tools.contract.picture_checks import find_flaws

    count, flaws = 0, list[str]()
    with PictureService(DATA) as picture_service:
        for name, picture in _name_pictures(packages):
            flaws += [f"{name} {flaw}" for flaw in find_flaws(picture, load_assets(DATA))]
            for theme in Theme:
                drawn = await picture_service.draw(picture, theme)
                (folder / f"{name}-{theme.value.replace('_', '-')}.png").write_bytes(drawn.data)
                count += 1
    return count, flaws


def _name_pictures(packages: "list[AnyPackage]") -> "Iterator[tuple[str, Picture]]":
    """Yield all pictures by the names of their files."""
    from bot.features.help.messages import draw_game_list
    from bot.tools.gallery_pictures import draw_all_badges, draw_day, draw_profile, further_pictures
    from bot.tools.gallery_tournaments import draw_tournaments

    for package in packages:
        for name, picture in chain(showcase_pictures(package), further_pictures(package)):
            yield f"{package.game.info.key}-{name}", picture
    if len(packages) > 1:
        yield GAME_LIST, draw_game_list(packages)
        yield BADGES, draw_all_badges(packages)
        games = {package.game.info.key: package for package in packages}
        yield PROFILE, draw_profile(games)
        yield DAY, draw_day(games)
        yield from draw_tournaments()


def showcase_pictures(package: "AnyPackage") -> Iterator[tuple[str, "Picture"]]:
    """Yield the name and picture of each showcase, of a result, and of a table ended by resignations."""
    from bot.tools.gallery_pictures import draw_resigned, draw_result
    from bot.tools.showcase_search import find_moments, picture_of

    showcases = list_showcases(package.game.info.key)
    moments = find_moments(package, showcases)
    for showcase in showcases:
        picture = picture_of(package, moments[showcase.name], showcase.hand_seat)
        if picture is not None:
            yield showcase.name, picture
    if package.look.build_picture is not None:
        yield RESULT, draw_result(package)
        if not package.game.info.is_solo:
            yield RESIGNED, draw_resigned(package)
