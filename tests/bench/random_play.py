"""Moves of the rules alone, in random play, beside a loop that rolls five dice.

Games and dice take turns every 50 ms and are measured in processor time, so that other work on the machine
slows both alike.
"""

import random
import time
from contextlib import AbstractAsyncContextManager, nullcontext

from bot.rules.chance import Chance, FastChance
from bot.rules.playout import play_random_game
from bot.tables.registry import AnyPackage, load_games
from tests.bench.rows import Figure, Round, Row, Taken

SLICES = 8
SECONDS = 0.05
"""The least length of a slice of games."""
_ROLLS = 20_000


def measure_random_play() -> AbstractAsyncContextManager[Round]:
    """Measure every game."""

    async def measure() -> Taken:
        paces = {package.game.info.title: _measure_game(package) for package in load_games().values()}
        return Taken({Row(f"a random move: {title}"): pace for title, pace in paces.items()}, {})

    return nullcontext(measure)


def _measure_game(package: AnyPackage) -> Figure:
    """Return the microseconds of a move, beside those of a roll of five dice."""
    chance = FastChance(random.Random(0))
    moves, playing, rolling = 0, 0.0, 0.0
    for _ in range(SLICES):
        rolling += _time_rolls()
        began = time.process_time()
        while (spent := time.process_time() - began) < SECONDS:
            moves += _play_game(package, chance)
        playing += spent
    return Figure(1e6 * playing / moves, 1e6 * rolling / (SLICES * _ROLLS))


def _play_game(package: AnyPackage, chance: Chance) -> int:
    """Play a game of the fewest seats, and return the number of its moves."""
    info = package.game.info
    return play_random_game(package.game, info.options(), info.least_seats, chance)[1]


def _time_rolls() -> float:
    r = random.random
    began = time.process_time()
    for _ in range(_ROLLS):
        [int(r() * 6) for _ in range(5)]
    return time.process_time() - began
