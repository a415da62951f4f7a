"""How long a game of Mr. Houdini's Baggage takes."""

from bot.games.houdinis_baggage.pieces import BaggageOptions

_SECONDS_PER_TURN = 53
"""The average length of a person's turn: about nine moves, with time to think."""

_FIRST_TURNS = 3.8
_TURNS_PER_POINT = 0.345
"""The turns of a seat until the computer player reaches a target, measured for all targets and seats."""


def estimate_minutes(options: BaggageOptions, seats: int) -> int:
    """Return the expected minutes of a game, from the turns that it takes to reach the target."""
    turns = _FIRST_TURNS + _TURNS_PER_POINT * options.target
    return round(turns * seats * _SECONDS_PER_TURN / 60)
