"""How long a game of Fortune takes."""

from bot.games.fortune.pieces import FortuneOptions

_SECONDS_PER_TURN = 50
"""The average length of a person's turn: about four moves, with time to think."""

_POINTS_PER_TURN = 700
"""The computer player's average points per turn, less losses to the Island."""


def estimate_minutes(options: FortuneOptions, seats: int) -> int:
    """Return the expected minutes of a game, from the turns that it takes to cross the finish line."""
    return round(options.target / _POINTS_PER_TURN * seats * _SECONDS_PER_TURN / 60)
