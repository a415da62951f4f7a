"""How long a game of Fortune takes."""

from bot.games.fortune.pieces import FortuneOptions

_SECONDS_PER_TURN = 50
"""What a turn takes people: about four moves, with a thought before each."""

_POINTS_PER_TURN = 700
"""What a turn brings the computer player on average, what the Island takes from it set off."""


def estimate_minutes(options: FortuneOptions, seats: int) -> int:
    """Return about how long a game takes so many players: as many rounds of turns as the finish line asks for."""
    return round(options.target / _POINTS_PER_TURN * seats * _SECONDS_PER_TURN / 60)
