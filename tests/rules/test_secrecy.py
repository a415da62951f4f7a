"""The contract playout finds every way in which a hidden card gets out, and nothing where none does."""

import pytest

from bot.rules.package import GamePackage
from tests.rules.cards import PACKAGE, elsewise
from tests.rules.leaks import LEAKS, in_a_hand
from tests.support.contract import BrokenContract, Check
from tests.support.playout import Setting, play_out
from tests.support.secrecy import Elsewise


def examine(package: GamePackage, hidden: Elsewise | None) -> None:
    for seats in (2, 3):
        for seed in range(12):
            play_out(package, Setting(package.game.info.options(), seats, seed), hidden)


def test_a_game_that_keeps_its_secrets_passes() -> None:
    examine(PACKAGE, elsewise)


def test_a_game_with_hands_that_keep_its_secrets_passes() -> None:
    examine(in_a_hand(PACKAGE), elsewise)


@pytest.mark.parametrize(("check", "package", "hidden"), LEAKS)
def test_a_planted_leak_is_found(check: Check, package: GamePackage, hidden: Elsewise | None) -> None:
    with pytest.raises(BrokenContract) as caught:
        examine(package, hidden)
    assert caught.value.check is check
