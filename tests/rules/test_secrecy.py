"""The contract playout finds every way in which a hidden card gets out, and nothing where none does."""

from typing import Any

import pytest

from bot.tables.registry import AnyPackage
from bot.tools.contract.contract import BrokenContract, Check
from bot.tools.contract.playout import PlayoutSetting, play_out
from bot.tools.contract.secrecy_checks import RedealHidden, are_equal
from tests.rules.cards_game import PACKAGE, CardSeen, redeal_hidden
from tests.rules.leaky_games import LEAKS, DrawnOpenly, DrawnWithCard, as_hand_package
from tests.support.each_case import each_case
from tests.support.picture_checks import project_assets


def check_package(package: AnyPackage, hidden: RedealHidden | None, games: int = 6) -> None:
    for seats in (2, 3):
        for seed in range(games):
            play_out(package, PlayoutSetting(package.game.info.options(), seats, seed), hidden, project_assets())


def test_a_game_that_keeps_its_secrets_passes() -> None:
    check_package(PACKAGE, redeal_hidden, games=2)


def test_a_game_with_hands_that_keep_its_secrets_passes() -> None:
    check_package(as_hand_package(PACKAGE), redeal_hidden, games=2)


@each_case("check, package, hidden", LEAKS)
def test_a_planted_leak_is_found(check: Check, package: AnyPackage, hidden: RedealHidden | None) -> None:
    with pytest.raises(BrokenContract) as caught:
        check_package(package, hidden)
    assert caught.value.check is check
    assert ("check_game(PACKAGE, redeal_hidden)" in str(caught.value)) is (check is Check.OPEN)


@each_case(
    "one, other, same",
    [
        ((1, DrawnWithCard(0, 5)), (1, DrawnWithCard(0, 5)), True),
        ((1, DrawnWithCard(0, 5)), (1, DrawnWithCard(0, 6)), False),
        (CardSeen(0, 5), DrawnOpenly(0, 5), False),
        ((1, (2, 3)), (1, (2, 3)), True),
        ((1, (2, 3)), (1, (2, 3, 4)), False),
        ((1, (2, 3, 4)), (1, (2, 3)), False),
        (1, True, False),
        (frozenset({1, 2}), frozenset({2, 1}), True),
        (frozenset({1, 2}), frozenset({1}), False),
    ],
)
def test_values_are_compared_in_all_their_fields(one: Any, other: Any, same: bool) -> None:
    assert are_equal(one, other) is same
