"""The contract kit: plays a game at random and checks the rules, screens, pictures and secrets of every position.

    from bot.rules.testing import check_game

    def test_the_contract() -> None:
        check_game(PACKAGE)

It needs no test framework. A broken contract is an `AssertionError` that names the check, the setting and the moves.
"""

from bot.rules.testing.contract import BrokenContract, Check
from bot.rules.testing.fact_coverage import Fact, check_reading_coverage, check_screen_coverage, make_fact
from bot.rules.testing.game_checks import check_game, play_games
from bot.rules.testing.option_values import make_mixed_options
from bot.rules.testing.package_checks import check_package
from bot.rules.testing.picture_checks import PictureAssets, find_flaws
from bot.rules.testing.playout import PlayoutSetting, play_out
from bot.rules.testing.secrecy_checks import RedealHidden

__all__ = [
    "BrokenContract",
    "Check",
    "Fact",
    "PictureAssets",
    "PlayoutSetting",
    "RedealHidden",
    "check_game",
    "check_package",
    "check_reading_coverage",
    "check_screen_coverage",
    "find_flaws",
    "make_fact",
    "make_mixed_options",
    "play_games",
    "play_out",
]
