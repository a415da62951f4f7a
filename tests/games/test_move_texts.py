"""Moves are described before they are made, as hints show them."""

from random import Random
from typing import Any

import pytest

from bot.rules.chance import FastChance
from bot.rules.playout import random_move
from tests.support.games import load_games_once

GAMES = {key: package for key, package in load_games_once().items() if package.mind.evaluate}

POSITIONS, VALUED_POSITIONS = 400, 60


def positions(key: str, count: int) -> Any:
    """Yield views with their legal moves, over random games with every number of seats."""
    rules, chance, found = GAMES[key].game, FastChance(Random(key)), 0
    while True:
        for seats in range(rules.info.least_seats, rules.info.most_seats + 1):
            state = rules.start(rules.info.options(), seats, chance)
            while (seat := rules.seat_to_move(state)) is not None:
                moves = rules.legal_moves(state)
                yield rules.view(state, seat), moves
                if (found := found + 1) == count:
                    return
                state, _ = rules.play(state, seat, random_move(moves, chance), chance)


@pytest.mark.parametrize("key", GAMES)
def test_moves_that_are_described_alike_are_worth_the_same(key: str) -> None:
    describe, evaluate = GAMES[key].study.describe_move, GAMES[key].mind.evaluate
    assert describe is not None
    assert evaluate is not None
    for view, moves in positions(key, VALUED_POSITIONS):
        worth: dict[str, float] = {}
        for move, value in zip(moves, evaluate(view, moves).values, strict=True):
            assert worth.setdefault(describe(view, move), value) == pytest.approx(value, abs=1e-6), move
