"""About how long a game of Change takes; `docs/change.md` tells how these numbers were found."""

from bisect import bisect_left

from bot.games.change.pieces import ChangeOptions

_WITH_SETS = {
    20: (69, 67, 58, 57, 45),
    50: (97, 103, 104, 104, 99),
    120: (124, 136, 137, 139, 127),
    200: (142, 154, 156, 162, 156),
    300: (160, 170, 173, 179, 176),
}
"""How many moves of all seats together a game has, by the credits and for two to six seats."""

_WITHOUT = {
    20: (74, 68, 65, 56, 46),
    50: (127, 139, 141, 149, 123),
    120: (170, 193, 206, 210, 194),
    300: (243, 282, 287, 300, 285),
}

_MIN_SEATS = 2
_MOVES_PER_MINUTE = 6


def estimate_minutes(options: ChangeOptions, seats: int) -> int:
    """Return about how long a game takes, between the numbers of credits that were tried in proportion."""
    found = _WITH_SETS if options.sets else _WITHOUT
    tried = list(found)
    upper = tried[max(1, bisect_left(tried, options.credits))]
    lower = tried[tried.index(upper) - 1]
    below, above = (found[count][seats - _MIN_SEATS] for count in (lower, upper))
    moves = below + (above - below) * (options.credits - lower) / (upper - lower)
    return round(moves / _MOVES_PER_MINUTE)
