"""Every game keeps the contract of the kernel, whatever is rolled and whoever sits down."""

import importlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bot.rules.game import Event
from bot.rules.picture import Picture
from bot.rules.refusals import CommonReason, Refusal
from bot.tables.registry import GAMES_PACKAGE, AnyPackage, load_games
from bot.ui.render.error_messages import ErrorMessages
from tests.support.contract_checks import BrokenContract, Check
from tests.support.display_limits import find_field_excess
from tests.support.package_checks import check_choices, check_described, check_sentences, make_mixed_options
from tests.support.playout import PlayoutSetting, play_out
from tests.support.secrecy_checks import RedealHidden

SEEDS, CHECKED_SHARE = 3, 0.03
"""How many games are played, and the share of steps at which the costly checks are made."""

MAX_FULLY_CHECKED = 30
"""About so many steps of a game have the costly checks at most, however long it takes."""

LONG_SEEDS, LONG_CHECKED_SHARE = 2000, 0.005
"""The same where there is time."""

PACKAGES: dict[str, AnyPackage] = {f"{GAMES_PACKAGE}.{key}": package for key, package in load_games().items()}
HOMES = list(PACKAGES)
TABLES = [
    (home, seats)
    for home, package in PACKAGES.items()
    for seats in range(package.game.info.least_seats, package.game.info.most_seats + 1)
]


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


@pytest.mark.parametrize(("home", "seats"), TABLES)
def test_the_contract_holds_in_random_play(home: str, seats: int, is_long: bool) -> None:
    play_many(PACKAGES[home], seats, *((LONG_SEEDS, LONG_CHECKED_SHARE) if is_long else (SEEDS, CHECKED_SHARE)))


def play_many(package: AnyPackage, seats: int, seeds: int, most_care: float) -> None:
    """Play so many games with all checks; how long they took so far tells how careful the next can be."""
    steps, redeal_hidden = 0, load_redeal(package.game.info.key)
    for seed in range(seeds):
        care = min(most_care, MAX_FULLY_CHECKED * seed / steps) if steps else most_care
        setting = PlayoutSetting(make_mixed_options(package.game.info.options, seed), seats, seed, care)
        steps += len(play_out(package, setting, redeal_hidden))


@pytest.mark.parametrize("home", HOMES)
def test_every_reason_has_a_sentence(home: str) -> None:
    check_sentences(PACKAGES[home], home)


@pytest.mark.parametrize("reason", CommonReason)
def test_every_reason_of_the_kernel_has_a_sentence(reason: CommonReason) -> None:
    sentences = ErrorMessages({package.game.info.key: package for package in PACKAGES.values()})
    assert sentences.of(Refusal(reason)).strip()


@pytest.mark.parametrize("home", HOMES)
def test_the_options_that_differ_from_the_defaults_are_named(home: str) -> None:
    check_described(PACKAGES[home])


@pytest.mark.parametrize("home", HOMES)
def test_every_option_can_be_chosen_from_a_menu(home: str) -> None:
    check_choices(PACKAGES[home])


@pytest.mark.parametrize("home", HOMES)
def test_the_guide_fits_discords_limits(home: str) -> None:
    guide = PACKAGES[home].guide
    assert guide.summary.strip()
    assert guide.sections
    assert [list(find_field_excess(section)) for section in guide.sections] == [[]] * len(guide.sections)


@pytest.mark.parametrize("home", HOMES)
def test_the_game_says_what_is_fixed_about_it(home: str) -> None:
    info = PACKAGES[home].game.info
    assert 1 <= info.least_seats <= info.most_seats
    assert min(info.version, info.step_limit, info.minutes_per_seat) >= 1
    assert info.title.strip()
    assert info.credits.strip()


def test_a_fault_that_shows_late_in_long_games_alone_is_found() -> None:
    """However few steps of a game are looked at with care, some of each part of it are."""
    fortune = PACKAGES[f"{GAMES_PACKAGE}.fortune"]

    def faulty(view: Any, news: Sequence[Event]) -> Picture:
        assert fortune.build_picture is not None
        drawn = fortune.build_picture(view, news)
        is_last_round = view.crosser is not None and view.mover is not None
        return replace(drawn, description="") if is_last_round else drawn

    with pytest.raises(BrokenContract) as caught:
        play_many(replace(fortune, build_picture=faulty), 3, SEEDS, CHECKED_SHARE)
    assert caught.value.check is Check.PICTURE
