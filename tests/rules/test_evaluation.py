"""Computer players choose by the values of moves."""

from collections import Counter
from collections.abc import Sequence
from math import exp
from random import Random

import pytest

from bot.rules.chance import FastChance, ScriptedChance
from bot.rules.evaluation import BestMove, CarelessMove, Evaluation, Unit

WORTH = {"best": 10.0, "twin": 10.0 - 1e-9, "close": 9.0, "same": 9.0, "poor": 6.0, "absurd": 5.9}


def evaluate(_view: None, moves: Sequence[str]) -> Evaluation:
    return Evaluation([WORTH[move] for move in moves], Unit.POINTS)


CARELESS = CarelessMove(evaluate, usual_loss=2, largest_loss=4)


def test_the_first_of_the_best_moves_is_made() -> None:
    moves = ["close", "best", "twin"]
    assert BestMove(evaluate)(None, moves, ScriptedChance([])) == "best"


def test_a_lone_move_needs_no_evaluation() -> None:
    for player in (BestMove(evaluate), CARELESS):
        assert player(None, ["unknown"], ScriptedChance([])) == "unknown"


def test_a_careless_player_makes_worse_moves_less_often_and_absurd_ones_never() -> None:
    chance, played = FastChance(Random(1)), Counter[str]()
    for _ in range(20_000):
        played[CARELESS(None, list(WORTH), chance)] += 1
    weights = {"best": 1.0, "close": exp(-1 / 2), "poor": exp(-4 / 2)}
    assert set(played) == set(weights), "of equal moves the first one is made, and counts once"
    for move, weight in weights.items():
        assert played[move] / 20_000 == pytest.approx(weight / sum(weights.values()), abs=0.015)
