"""How long a game of Magpie takes."""

from bot.games.magpie.pieces import MagpieOptions

_SECONDS_PER_TURN = 18
"""What a turn takes people, looking on included; the usual game then takes five minutes for each who plays."""

_POINTS_PER_ROLL = {(False, False): 6, (False, True): 9, (True, False): 11, (True, True): 13}
"""What a roll brings the computer player on average, without and with Rules MP-V1 and MP-V3; MP-V2 changes little."""


def estimate_minutes(options: MagpieOptions, seats: int) -> int:
    """Return about how long a game takes so many players: as many rounds of turns as the target asks for."""
    turns = options.target / _POINTS_PER_ROLL[options.double_big_rolls, options.five_dice_bonus]
    return round(turns * seats * _SECONDS_PER_TURN / 60)
