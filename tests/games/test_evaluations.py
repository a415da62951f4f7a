"""The values of moves, by which *Easy* chooses, agree with what *Normal* does."""

from collections.abc import Iterator
from math import isfinite
from random import Random
from typing import Any

import pytest

from bot.rules.chance import FastChance
from bot.rules.evaluation import CarelessMove
from tests.support.games import load_games_once

GAMES = load_games_once()

SLACK = {"houdinis_baggage": 0.5, "magic_bag": 20.0}
"""How much less Normal's move may be worth: it plans further in the one, and looks at a single coin in the other."""

DECISIONS = 150


def decisions(key: str) -> Iterator[tuple[Any, Any, Any]]:
    """Yield views, moves and Normal's choice, over games in which every third move is Easy's."""
    package, chance = GAMES[key], FastChance(Random(key))
    rules, players = package.game, package.strategies
    while True:
        state, steps = rules.start(rules.info.options(), rules.info.least_seats, chance), 0
        while (seat := rules.seat_to_move(state)) is not None:
            view, moves = rules.view(state, seat), rules.legal_moves(state)
            chosen, steps = players["normal"](view, moves, chance), steps + 1
            if len(moves) > 1:
                yield view, moves, chosen
            made = chosen if steps % 3 else players["easy"](view, moves, chance)
            state, _ = rules.play(state, seat, made, chance)


@pytest.mark.parametrize("key", [key for key, package in GAMES.items() if "easy" in package.strategies])
def test_normal_makes_a_move_of_the_highest_value(key: str) -> None:
    easy = GAMES[key].strategies["easy"]
    assert isinstance(easy, CarelessMove)
    exact = 0
    for _, (view, moves, chosen) in zip(range(DECISIONS), decisions(key), strict=False):
        values = easy.evaluate(view, moves).values
        assert len(values) == len(moves)
        assert all(map(isfinite, values))
        lost = max(values) - values[moves.index(chosen)]
        assert lost <= SLACK.get(key, 1e-6), f"{chosen} of {view}"
        exact += lost < 1e-6
    assert exact > 0.8 * DECISIONS
