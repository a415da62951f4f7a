"""What hints say in each game."""

import pytest

from bot.rules.study import rank_moves
from tests.games.test_move_texts import GAMES, positions

POSITIONS = 80


@pytest.mark.parametrize("key", GAMES)
def test_a_hint_has_values_odds_and_one_reason(key: str) -> None:
    package = GAMES[key]
    hints, evaluate, describe = package.study.hints, package.mind.evaluate, package.study.describe_move
    assert hints is not None
    assert evaluate is not None
    assert describe is not None
    reasons, odds = set[str](), 0
    for view, moves in positions(key, POSITIONS):
        if len(moves) == 1:
            continue
        evaluation = evaluate(view, moves)
        best = rank_moves(view, moves, evaluation, describe)
        assert best[0].value == pytest.approx(max(evaluation.values), abs=1e-6)
        told = hints.explain(view, best, evaluation)
        for line in (*told.odds, told.reason, *(hints.format_points(each.value) for each in best)):
            assert 0 < len(line) <= 160
            assert not set("{}\n") & set(line), "every placeholder is filled"
        assert told.reason.endswith(".")
        reasons.add(told.reason)
        odds += bool(told.odds)
    assert len(reasons) > 1
    assert odds, "the odds that matter are told where there are any"
