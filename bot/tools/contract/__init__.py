"""The contract kit: plays a game at random and checks the rules, screens, pictures and secrets of every position.

    from bot.tools.contract import check_game

    def test_the_contract() -> None:
        check_game(PACKAGE)

It needs no test framework. A broken contract is an `AssertionError` that names the check, the setting and the moves.
"""

from bot.tools.contract.contract import BrokenContract, Check, make_mixed_options
from bot.tools.contract.package_checks import check_package
from bot.tools.contract.picture_checks import PictureAssets, find_flaws
from bot.tools.contract.playout import PlayoutSetting, check_game, play_games, play_out
from bot.tools.contract.secrecy_checks import RedealHidden

__all__ = [
    "BrokenContract",
    "Check",
    "PictureAssets",
    "PlayoutSetting",
    "RedealHidden",
    "check_game",
    "check_package",
    "find_flaws",
    "make_mixed_options",
    "play_games",
    "play_out",
]
