"""How long a game of Magpie takes."""

from bot.games.magpie.pieces import MagpieOptions

_SECONDS_PER_TURN = 18
"""The average length of a person's turn, which makes a game with the default target five minutes per player."""

_POINTS_PER_ROLL = {(False, False): 6, (False, True): 9, (True, False): 11, (True, True): 13}
"""The computer player's average points per roll by (MP-V1, MP-V3); MP-V2 changes little."""


def estimate_minutes(options: MagpieOptions, seats: int) -> int:
    """Return the expected minutes of a game, from the turns that it takes to reach the target."""
    turns = options.target / _POINTS_PER_ROLL[options.double_big_rolls, options.five_dice_bonus]
    return round(turns * seats * _SECONDS_PER_TURN / 60)
