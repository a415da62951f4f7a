"""Moves per second of the rules alone, in random play, beside a loop that rolls five dice.

Games and dice take turns every 50 ms and are measured in processor time, so that other work on the machine
slows both alike.
"""

import random
import statistics
import time
from typing import NamedTuple

from bot.rules.chance import Chance, FastChance
from bot.rules.playout import play_random_game
from bot.tables.registry import AnyPackage, load_games

ROUNDS = 5
SLICES = 8
SECONDS = 0.05
"""The least length of a slice of games."""
_ROLLS = 20_000


class Pace(NamedTuple):
    """How fast random play is, in processor time."""

    moves_per_second: float
    ratio: float
    """Moves in the time of one roll of five dice, in plain Python."""


def measure_random_play(rounds: int = ROUNDS) -> dict[str, Pace]:
    """Return the pace of every game, by title: the medians of rounds, in which games and dice take turns."""
    found: dict[str, list[Pace]] = {}
    for seed in range(rounds):
        for package in load_games().values():
            found.setdefault(package.game.info.title, []).append(_measure_round(package, seed))
    return {title: Pace(*map(statistics.median, zip(*paces, strict=True))) for title, paces in found.items()}


def _measure_round(package: AnyPackage, seed: int) -> Pace:
    chance = FastChance(random.Random(seed))
    moves, playing, rolling = 0, 0.0, 0.0
    for _ in range(SLICES):
        rolling += _time_rolls()
        began = time.process_time()
        while (spent := time.process_time() - began) < SECONDS:
            moves += _play_game(package, chance)
        playing += spent
    pace = moves / playing
    return Pace(pace, pace * rolling / (SLICES * _ROLLS))


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
