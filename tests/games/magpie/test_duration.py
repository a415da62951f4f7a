"""The stated duration of a game of Magpie, compared with simulated games."""

from random import Random
from statistics import mean

from bot.games.magpie import PACKAGE
from bot.games.magpie.pieces import MagpieOptions
from bot.games.magpie.words import estimate_minutes
from bot.rules.chance import FastChance
from tests.games.magpie.positions import EVERY_MIX, GAME
from tests.support.each_case import each_case

GAMES = 5


def moves_of(options: MagpieOptions, seats: int, chance: FastChance) -> int:
    """Let the computer player play a game, and count its moves."""
    state, moves = GAME.start(options, seats, chance), 0
    while state.mover is not None:
        move = PACKAGE.mind.strategies["normal"](state, GAME.legal_moves(state), chance)
        state, moves = GAME.play(state, state.mover, move, chance)[0], moves + 1
    return moves


@each_case("options", EVERY_MIX)
def test_a_move_takes_about_eighteen_seconds_with_any_options(options: MagpieOptions) -> None:
    """In a long game, where minutes are not rounded much and the last roll counts for little."""
    chance, options = FastChance(Random(1)), options.model_copy(update={"target": 300})
    played = mean(moves_of(options, 3, chance) for _ in range(GAMES))
    assert 15 <= 60 * estimate_minutes(options, 3) / played <= 21


def test_it_grows_with_the_target_and_the_seats_and_is_never_nothing() -> None:
    assert estimate_minutes(MagpieOptions(), 2) == 10
    assert estimate_minutes(MagpieOptions(), 6) == 30
    assert estimate_minutes(MagpieOptions(target=500), 2) == 50
    least = MagpieOptions(target=50, double_big_rolls=True, reroll_fours=True, five_dice_bonus=True)
    assert estimate_minutes(least, 2) >= 1
