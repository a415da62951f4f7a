"""What the gallery shows beside scenes: a lobby, banner, shared result and leaderboard of each game, and all badges."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from bot.commands.game_completeness import BANNER, CARD, LEADERBOARD, LOBBY

if TYPE_CHECKING:
    from bot.rules.picture import Picture
    from bot.tables.registry import AnyPackage


def further_pictures(package: "AnyPackage") -> "Iterator[tuple[str, Picture]]":
    """Yield the names and pictures, those of a game with the most seats."""
    from bot.tools.gallery_people import draw_leaderboard
    from bot.tools.gallery_tables import draw_banner, draw_card, play_table

    if package.cover is not None:
        yield LOBBY, _lobby(package, package.cover)
    if package.build_picture is None:
        return
    tables = list(play_table(package, package.game.info.most_seats))
    if (banner := draw_banner(tables)) is not None:
        yield BANNER, banner
    yield CARD, draw_card(tables[-1])
    yield LEADERBOARD, draw_leaderboard(package)


def draw_all_badges(packages: "Sequence[AnyPackage]") -> "Picture":
    """Return the picture of somebody who has every badge of these games."""
    from bot.features.badges.messages import badge_picture, list_groups

    groups = list_groups({package.game.info.key: package for package in packages})
    return badge_picture(groups, {f"{group.key}/{badge.key}" for group in groups for badge in group.badges})


def _lobby(package: "AnyPackage", cover: str) -> "Picture":
    """Return the picture of a lobby with a free seat, unless it has only one."""
    from bot.rules.showcase import SHOWCASE_NAMES
    from bot.tables.shown.lobby import lobby_picture

    return lobby_picture(package, cover, SHOWCASE_NAMES[: max(1, package.game.info.most_seats - 1)])
