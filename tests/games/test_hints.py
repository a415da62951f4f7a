"""Moves are described before they are made, and hints have values, odds and a reason."""

from collections.abc import Hashable
from random import Random
from typing import Any

import pytest

from bot.rules.chance import FastChance
from bot.rules.playout import random_move
from bot.rules.study import rank_moves
from tests.support.games import load_games_once, values_moves

GAMES = {key: package for key, package in load_games_once().items() if values_moves(package)}

POSITIONS, VALUED_POSITIONS = 80, 60


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
def test_moves_that_do_the_same_are_worth_the_same(key: str) -> None:
    key_of, evaluate = GAMES[key].mind.key_of, GAMES[key].mind.evaluate
    assert evaluate is not None
    for view, moves in positions(key, VALUED_POSITIONS):
        worth: dict[Hashable, float] = {}
        for move, value in zip(moves, evaluate(view, moves).values, strict=True):
            assert worth.setdefault(key_of(view, move), value) == pytest.approx(value, abs=1e-6), move


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
        best = rank_moves(view, moves, evaluation, package.mind.key_of, describe)
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
