"""The reasons of hints agree with the points that they name."""

import pytest

from bot.games.fortune import study
from bot.games.fortune.pieces import Move
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.study import RankedMove
from tests.games.fortune.positions import GAME, at
from tests.support.each_case import each_case

ROLL, STOP = "roll 1 2", "stop"
STATE = at("captain", "MMGGDDSP")


@each_case(
    "best, rolling, stopping, told",
    [
        (ROLL, 300.4, 250.0, "Rolling on brings +300 points on average, and stopping only +250."),
        (ROLL, 249.6, 250.0, "Rolling on brings as much on average as stopping (+250), but wins more games here."),
        (ROLL, 250.4, 250.0, "Rolling on brings as much on average as stopping (+250), but wins more games here."),
        (ROLL, 240.0, 250.0, "Rolling on brings less on average (+240 against +250), but wins more games here."),
        (STOP, 240.0, 250.0, "Rolling on would bring +240 points on average, and stopping brings +250 for sure."),
        (STOP, 250.4, 250.0, "Rolling on would bring +250 points on average, and stopping brings +250 for sure."),
        (STOP, 260.0, 250.0, "Rolling on may bring more (+260 on average), but +250 for sure wins more games here."),
    ],
)
def test_points_are_compared_as_they_are_shown(
    best: str, rolling: float, stopping: float, told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    worth: dict[Move, float] = {GAME.parse_move(ROLL): rolling, GAME.parse_move(STOP): stopping}
    monkeypatch.setattr(study, "expected_points", lambda _, move: worth[move])
    ranked = [
        RankedMove(GAME.parse_move(each), each, 0.5) for each in sorted((ROLL, STOP), key=lambda each: each != best)
    ]
    assert study.HINTS.explain(STATE, ranked, Evaluation((0.5, 0.5), Unit.WINS)).reason == told
