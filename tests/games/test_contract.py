"""Every game keeps the contract of the kernel, for any dice and any number of seats."""

import importlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.rules.components import Nameplate
from bot.rules.game import Event
from bot.rules.picture import Picture
from bot.tools.contract import BrokenContract, Check, RedealHidden, check_package, play_games
from tests.support.games import load_games_once
from tests.support.picture_checks import project_assets

GAMES, CHECK_RATE = 2, 0.03
"""How many games the most seats play, and the share of steps at which the costly checks are made.

Fewer seats play one game, with the usual options.
"""

LONG_GAMES, LONG_CHECK_RATE = 2000, 0.005
"""How many games are played with `--long`, and the share of steps at which the costly checks are made."""

PACKAGES = load_games_once()
TABLES = [
    pytest.param(key, seats, marks=() if seats in (info.least_seats, info.most_seats) else pytest.mark.slow)
    for key, info in ((key, package.game.info) for key, package in PACKAGES.items())
    for seats in range(info.least_seats, info.most_seats + 1)
]
"""Every number of seats of each game; those between the fewest and the most are slow tests."""


def load_redeal(key: str) -> RedealHidden | None:
    """Return what a game's tests say of its hidden pieces; one that hides nothing has no such file."""
    if not (Path(__file__).parent / key / "hidden.py").exists():
        return None
    redeal_hidden: RedealHidden = importlib.import_module(f"tests.games.{key}.hidden").redeal_hidden
    return redeal_hidden


def test_games_are_found_and_differ_in_key_and_title() -> None:
    infos = [package.game.info for package in PACKAGES.values()]
    assert infos
    assert len({info.key for info in infos}) == len({info.title for info in infos}) == len(infos)


@pytest.mark.parametrize(("key", "seats"), TABLES)
def test_the_contract_holds_in_random_play(key: str, seats: int, is_long: bool) -> None:
    info = PACKAGES[key].game.info
    short = GAMES if seats == info.most_seats else 1
    games, rate = (LONG_GAMES, LONG_CHECK_RATE) if is_long else (short, CHECK_RATE)
    play_games(PACKAGES[key], seats, load_redeal(key), project_assets(), games=games, check_rate=rate)


@pytest.mark.parametrize("key", PACKAGES)
def test_every_package_is_sound(key: str) -> None:
    check_package(PACKAGES[key], assets=project_assets())


def test_a_fault_that_only_shows_late_in_long_games_is_found() -> None:
    """However few steps of a game are looked at with care, some of each part of it are."""
    fortune = PACKAGES["fortune"]

    def faulty(view: Any, events: Sequence[Event], nameplates: Sequence[Nameplate]) -> Picture:
        assert fortune.look.build_picture is not None
        drawn = fortune.look.build_picture(view, events, nameplates)
        is_last_round = view.crosser is not None and view.mover is not None
        return replace(drawn, description="") if is_last_round else drawn

    with pytest.raises(BrokenContract) as caught:
        play_games(
            replace(fortune, look=replace(fortune.look, build_picture=faulty)),
            3,
            None,
            project_assets(),
            games=GAMES,
            check_rate=CHECK_RATE,
        )
    assert caught.value.check is Check.PICTURE
