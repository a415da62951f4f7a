"""Moves per second of the rules alone, in random play."""

from bot.commands.simulate import run_games
from bot.tables.registry import AnyPackage, load_games

SECONDS = 1.0
GAMES_AT_A_TIME = 20


def measure_random_play() -> dict[str, float]:
    """Return the moves per second of every game, by title."""
    return {package.game.info.title: _measure_move_rate(package) for package in load_games().values()}


def _measure_move_rate(package: AnyPackage) -> float:
    moves, seconds, seed = 0, 0.0, 1
    while seconds < SECONDS:
        seats = package.game.info.least_seats
        report = run_games(package, seats, range(GAMES_AT_A_TIME), seed=seed)
        moves, seconds, seed = moves + report.moves, seconds + report.moves / report.moves_per_second, seed + 1
    return round(moves / seconds)
