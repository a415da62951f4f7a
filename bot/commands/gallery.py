"""`python -m bot gallery`: draws the telling moments of every game in every theme."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from bot.commands.console import fail, load_whole_games

if TYPE_CHECKING:
    from bot.rules.picture import Picture
    from bot.tables.registry import AnyPackage, GameRegistry


RESIGNED = "resigned"
"""What the picture is called that no scene leads to: people resign, players of a game don't."""


def gallery(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Where the pictures go; it is made if need be.")],
    *,
    game: Annotated[str | None, typer.Option(help="Only this game, by its key.")] = None,
) -> None:
    """Draw the telling moments of every game in every theme, each as a PNG file."""
    from bot.pictures.service import DrawingFailed
    from bot.rules.showcase import ShowcaseNotFound

    games = load_whole_games()
    if game is not None and game not in games:
        fail(f"There is no game called {game}. The games are: {', '.join(games)}.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        drawn = asyncio.run(_draw_all(folder, games, [game] if game else list(games)))
    except OSError as fault:
        fail(f"The pictures can't be put into {folder}: {fault}.")
    except (DrawingFailed, ShowcaseNotFound) as fault:
        fail(f"{fault}.")
    typer.echo(f"{drawn} pictures are in {folder}.")


async def _draw_all(folder: Path, games: "GameRegistry", keys: list[str]) -> int:
    """Draw everything and return how many pictures there are."""
    from bot.content import DATA
    from bot.pictures.service import PictureService
    from bot.rules.picture import Theme

    count = 0
    with PictureService(DATA) as picture_service:
        for key in keys:
            for name, picture in showcase_pictures(games[key]):
                for theme in Theme:
                    drawn = await picture_service.draw(picture, theme)
                    (folder / f"{key}-{name}-{theme.value.replace('_', '-')}.png").write_bytes(drawn.data)
                    count += 1
    return count


def showcase_pictures(package: "AnyPackage") -> Iterator[tuple[str, "Picture"]]:
    """Yield the picture of every scene of a game under its name, and that of a table ended by resignations."""
    from bot.rules.showcase import find_moment, picture_of

    for scene in package.showcases:
        picture = picture_of(package, find_moment(package, scene), scene.hand_seat)
        if picture is not None:
            yield scene.name, picture
    if package.build_picture is not None and not package.game.info.is_solo:
        yield RESIGNED, resigned_picture(package)


def resigned_picture(package: "AnyPackage") -> "Picture":
    """Return the picture of a full table that everybody but its second seat has resigned at."""
    from bot.tables.controls import rank_resigned_last
    from bot.ui.render.ranking import ranking_picture

    info = package.game.info
    seats = frozenset(range(info.most_seats)) - {1}
    return ranking_picture(info.title, rank_resigned_last(None, seats, info.most_seats), seats)
