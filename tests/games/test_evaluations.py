"""The values of moves: Easy and Normal choose by the same ones, and Easy never gives away the game."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from math import isfinite
from random import Random
from typing import Any

import pytest

from bot.games.magpie.minds.evaluation import evaluate_last_turn
from bot.rules.chance import FastChance
from bot.rules.evaluation import BestMove, CarelessMove, Unit
from tests.support.games import load_games_once, values_moves

GAMES = load_games_once()

DECISIONS = 150

LIMITS: dict[str, dict[Unit, float]] = {
    "magpie": {Unit.POINTS: 3, Unit.WINS: 0.06},
    "fortune": {Unit.POINTS: 250, Unit.WINS: 0.06},
    "magic_bag": {Unit.FINAL_POINTS: 25},
    "houdinis_baggage": {Unit.WINS: 0.15},
    "change": {Unit.WINS: 0.15},
}
"""What a move of Easy may give away, by the values of the strongest player; in Magpie so many wins on the last turn.

Before it, a few points of the roll may be worth more than that near the target.
"""


def decisions(key: str) -> Iterator[tuple[Any, Any]]:
    """Yield views and moves, over games in which Easy makes every third move and Normal the others."""
    package, chance = GAMES[key], FastChance(Random(key))
    rules, players = package.game, package.mind.strategies
    while True:
        state, steps = rules.start(rules.info.options(), rules.info.least_seats, chance), 0
        while (seat := rules.seat_to_move(state)) is not None:
            view, moves, steps = rules.view(state, seat), rules.legal_moves(state), steps + 1
            if len(moves) > 1:
                yield view, moves
            move = players["normal" if steps % 3 else "easy"](view, moves, chance)
            state, _ = rules.play(state, seat, move, chance)


@pytest.mark.parametrize("key", [key for key, package in GAMES.items() if values_moves(package)])
@pytest.mark.slow
def test_easy_and_normal_choose_by_the_same_values(key: str) -> None:
    easy, normal = (GAMES[key].mind.strategies[level] for level in ("easy", "normal"))
    assert isinstance(easy, CarelessMove)
    assert isinstance(normal, BestMove)
    assert easy.evaluate == normal.evaluate
    for view, moves in islice(decisions(key), DECISIONS):
        values = easy.evaluate(view, moves).values
        assert len(values) == len(moves)
        assert all(map(isfinite, values))


@pytest.mark.parametrize("key", LIMITS)
@pytest.mark.slow
def test_easy_never_gives_away_the_game(key: str) -> None:
    package, chance = GAMES[key], FastChance(Random(key))
    evaluate = evaluate_last_turn if key == "magpie" else package.mind.evaluate
    assert evaluate is not None
    for view, moves in islice(decisions(key), DECISIONS // 2):
        evaluation = evaluate(view, moves)
        values = dict(zip(moves, evaluation.values, strict=True))
        made = {package.mind.strategies["easy"](view, moves, chance) for _ in range(3)}
        lost = max(evaluation.values) - min(values[move] for move in made)
        assert lost <= LIMITS[key][evaluation.unit] + 1e-9, f"{made} of {view}"


def test_easy_plays_for_the_win_on_the_last_turn_of_magpie() -> None:
    """Nine behind with 3, 3, 3, 5 and 3: whoever keeps the threes loses twice as often."""
    rules, chance = GAMES["magpie"].game, FastChance(Random(1))
    start = rules.start(rules.info.options(), 2, chance)
    state = replace(start, faces=(3, 5, 3, 3, 3), scores=(106, 99), mover=1, trigger=0)
    moves = rules.legal_moves(state)
    evaluation = evaluate_last_turn(state, moves)
    values = dict(zip(moves, evaluation.values, strict=True))
    for _ in range(200):
        made = GAMES["magpie"].mind.strategies["easy"](rules.view(state, 1), moves, chance)
        assert max(evaluation.values) - values[made] <= 0.06
