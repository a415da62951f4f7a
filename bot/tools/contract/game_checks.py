"""Checks the whole contract of a game."""

from collections.abc import Iterable
from itertools import count

from bot.tools.contract.contract import AnyPackage
from bot.tools.contract.option_values import make_mixed_options
from bot.tools.contract.package_checks import check_package
from bot.tools.contract.picture_checks import PictureAssets
from bot.tools.contract.playout import PlayoutSetting, play_out
from bot.tools.contract.secrecy_checks import RedealHidden

GAMES, CHECK_RATE = 12, 0.04
"""The games played for each number of seats, and the share of steps with expensive checks."""

MAX_FULLY_CHECKED = 30
"""The approximate limit of steps with expensive checks in a game, so that long games take no longer than short ones."""

MIN_STEPS = 200
"""So many steps are played at least for each number of seats."""


def check_game(
    package: AnyPackage,
    redeal_hidden: RedealHidden | None = None,
    assets: PictureAssets | None = None,
    *,
    games: int = GAMES,
    check_rate: float = CHECK_RATE,
    seats: Iterable[int] | None = None,
) -> None:
    """Check a package, and games with every number of seats.

    Args:
        package: The game.
        redeal_hidden: Deals the hidden pieces again; None for a game without any.
        assets: The art and the font, which a game with pictures needs (`bot.pictures.assets.load_assets`).
        games: How many games are played for each number of seats.
        check_rate: The share of steps, from 0 to 1, at which the costly checks are made.
        seats: The numbers of seats to play with; None means every one.

    Raises:
        BrokenContract: The game breaks the contract.
    """
    check_package(package, assets=assets)
    info = package.game.info
    for number in range(info.least_seats, info.most_seats + 1) if seats is None else seats:
        play_games(package, number, redeal_hidden, assets, games=games, check_rate=check_rate)


def play_games(
    package: AnyPackage,
    seats: int,
    redeal_hidden: RedealHidden | None,
    assets: PictureAssets | None,
    *,
    games: int,
    check_rate: float,
) -> None:
    """Play games with mixed options; the longer they are, the smaller is the share of expensive checks.

    Short games are played more often, so that some of their steps are checked.
    """
    steps = 0
    for seed in count():
        if seed >= games and steps >= MIN_STEPS:
            break
        rate = min(check_rate, MAX_FULLY_CHECKED * seed / steps) if steps else check_rate
        options = make_mixed_options(package.game.info.options, seed)
        steps += len(play_out(package, PlayoutSetting(options, seats, seed, rate), redeal_hidden, assets))
