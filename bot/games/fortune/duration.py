"""How long a game of Fortune takes."""

from bot.games.fortune.pieces import FortuneOptions

_SECONDS = 50
"""What a turn takes people: about four moves, with a thought before each."""

_POINTS_A_TURN = 700
"""What a turn brings the computer player on average, what the Island takes from it set off."""


def minutes(options: FortuneOptions, seats: int) -> int:
    """Return about how long a game takes so many players: as many rounds of turns as the finish line asks for."""
    return round(options.target / _POINTS_A_TURN * seats * _SECONDS / 60)
