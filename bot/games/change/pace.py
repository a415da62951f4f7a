"""About how long a game of Change takes; `docs/change.md` tells how these numbers were found."""

import math

from bot.games.change.pieces import ChangeOptions

_STEPS_WITH_SETS, _STEPS_WITHOUT = 26, 40
"""What the cube root of the credits is multiplied by to get the moves of all seats together."""

_MOVES_A_MINUTE = 6


def minutes(options: ChangeOptions, _seats: int) -> int:
    """Return about how long a game takes: more seats have fewer turns each, and it comes to the same."""
    steps = (_STEPS_WITH_SETS if options.sets else _STEPS_WITHOUT) * math.cbrt(options.credits)
    return max(1, round(steps / _MOVES_A_MINUTE))
