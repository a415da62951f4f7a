"""Estimates how long a game takes; `docs/change.md` says how the moves were counted."""

from bisect import bisect_left

from bot.games.change.pieces import ChangeOptions

_WITH_SETS = {
    20: (69, 67, 58, 57, 45),
    50: (97, 103, 104, 104, 99),
    120: (124, 136, 137, 139, 127),
    200: (142, 154, 156, 162, 156),
    300: (160, 170, 173, 179, 176),
}
"""The mean number of moves in a game, by credits and for two to six seats."""

_WITHOUT = {
    20: (74, 68, 65, 56, 46),
    50: (127, 139, 141, 149, 123),
    120: (170, 193, 206, 210, 194),
    300: (243, 282, 287, 300, 285),
}

_MIN_SEATS = 2
_MOVES_PER_MINUTE = 6


def estimate_minutes(options: ChangeOptions, seats: int) -> int:
    """Return the expected minutes of a game, interpolated between the measured numbers of credits."""
    measured = _WITH_SETS if options.sets else _WITHOUT
    credit_counts = list(measured)
    upper = credit_counts[max(1, bisect_left(credit_counts, options.credits))]
    lower = credit_counts[credit_counts.index(upper) - 1]
    below, above = (measured[count][seats - _MIN_SEATS] for count in (lower, upper))
    moves = below + (above - below) * (options.credits - lower) / (upper - lower)
    return round(moves / _MOVES_PER_MINUTE)
