"""The stated duration of a game of Fortune, compared with simulated games."""

from random import Random
from statistics import mean

from bot.games.fortune.minds.evaluation import evaluate_turn
from bot.games.fortune.pieces import CardTurned, FortuneOptions
from bot.games.fortune.words import estimate_minutes
from bot.rules.chance import FastChance
from bot.rules.evaluation import BestMove
from tests.games.fortune.positions import GAME
from tests.support.each_case import each_case

GAMES = 4


def turns_of(options: FortuneOptions, seats: int, chance: FastChance) -> int:
    """Let computer players play a game, and count its turns."""
    state, turns = GAME.start(options, seats, chance), 1
    while state.mover is not None:
        move = BestMove(evaluate_turn)(state, GAME.legal_moves(state), chance)
        state, events = GAME.play(state, state.mover, move, chance)
        turns += any(isinstance(event, CardTurned) for event in events)
    return turns


@each_case("target, seats", [(8000, 4), (20_000, 2)])
def test_a_turn_takes_about_fifty_seconds_with_any_finish_line(target: int, seats: int) -> None:
    """FO-O1: a few long games vary by a fifth."""
    options = FortuneOptions(target=target)
    played = mean(turns_of(options, seats, FastChance(Random(seed))) for seed in range(GAMES))
    assert 37 <= 60 * estimate_minutes(options, seats) / played <= 63


def test_it_grows_with_the_finish_line_and_the_seats_and_is_never_nothing() -> None:
    """FO-O1."""
    assert estimate_minutes(FortuneOptions(), 2) == 19
    assert estimate_minutes(FortuneOptions(), 4) == 38
    assert estimate_minutes(FortuneOptions(target=20_000), 2) == 48
    assert estimate_minutes(FortuneOptions(target=1000), 2) >= 1
