"""Moves per second of the rules alone, in random play, beside a loop that rolls five dice."""

import random
import statistics
import time
from typing import NamedTuple

from bot.commands.simulate import run_games
from bot.tables.registry import AnyPackage, load_games

ROUNDS = 5
SECONDS = 0.4
GAMES_AT_A_TIME = 20
_ROLLS = 20_000


class Pace(NamedTuple):
    """How fast random play is."""

    moves_per_second: float
    ratio: float
    """Moves in the time of one roll of five dice, in plain Python."""


def measure_random_play(rounds: int = ROUNDS) -> dict[str, Pace]:
    """Return the pace of every game, by title: the medians of rounds in which games and dice take turns."""
    found: dict[str, list[Pace]] = {}
    for seed in range(rounds):
        for package in load_games().values():
            rolls, moves = _rolls_per_second(), _moves_per_second(package, seed)
            found.setdefault(package.game.info.title, []).append(Pace(moves, moves / rolls))
    return {title: Pace(*map(statistics.median, zip(*paces, strict=True))) for title, paces in found.items()}


def _moves_per_second(package: AnyPackage, seed: int) -> float:
    moves, seconds = 0, 0.0
    while seconds < SECONDS:
        report = run_games(package, package.game.info.least_seats, range(GAMES_AT_A_TIME), seed=seed)
        moves, seconds, seed = moves + report.moves, seconds + report.moves / report.moves_per_second, seed + ROUNDS
    return moves / seconds


def _rolls_per_second() -> float:
    r = random.random
    began = time.perf_counter()
    for _ in range(_ROLLS):
        [int(r() * 6) for _ in range(5)]
    return _ROLLS / (time.perf_counter() - began)
