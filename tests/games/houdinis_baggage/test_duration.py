"""The stated duration of a game of Mr. Houdini's Baggage, compared with simulated games."""

from random import Random
from statistics import mean

from bot.games.houdinis_baggage.minds.evaluation import evaluate_plans
from bot.games.houdinis_baggage.pieces import BaggageOptions
from bot.games.houdinis_baggage.words import estimate_minutes
from bot.rules.chance import FastChance
from bot.rules.evaluation import BestMove
from bot.rules.package import minutes_of
from tests.support.each_case import each_case
from tests.support.games import load_games_once

PACKAGE = load_games_once()["houdinis_baggage"]
GAMES = 4


def turns_of(options: BaggageOptions, seats: int, chance: FastChance) -> int:
    """Let computer players play a game, and count its turns."""
    game, choose = PACKAGE.game, BestMove(evaluate_plans)
    state, turns, mover = game.start(options, seats, chance), 0, None
    while state.mover is not None:
        turns += state.mover != mover
        mover = state.mover
        state, _ = game.play(state, mover, choose(state, game.legal_moves(state), chance), chance)
    return turns


@each_case("target, seats", [(10, 2), (10, 4), (20, 3), (30, 2)])
def test_a_turn_takes_about_fifty_seconds_with_any_target(target: int, seats: int) -> None:
    """HB-O1: a few games vary by a fifth."""
    options = BaggageOptions(target=target)
    played = mean(turns_of(options, seats, FastChance(Random(seed))) for seed in range(GAMES))
    assert 42 <= 60 * estimate_minutes(options, seats) / played <= 64


def test_a_lobby_tells_the_time_of_its_target_and_seats() -> None:
    """HB-O1."""
    assert [minutes_of(PACKAGE, BaggageOptions(target=target), 2) for target in (10, 15, 20, 25, 30)] == [
        13,
        16,
        19,
        22,
        25,
    ]
    assert minutes_of(PACKAGE, BaggageOptions(), 4) == 44
