"""What rolling some dice of Magpie brings: expected points, and the chances of scoring."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

from bot.games.magpie.pieces import DICE_COUNT, SIDES, Combination, Faces, MagpieOptions, Roll
from bot.games.magpie.rules import score_roll


def kept_dice(faces: Faces, move: Roll) -> Faces:
    """Return the dice that a roll keeps, in rising order."""
    return tuple(sorted([face for place, face in enumerate(faces, 1) if place not in move.dice]))


def expected_points(options: MagpieOptions, kept: Faces) -> float:
    """Return the points that rolling all but these dice, in rising order, brings on average."""
    return _prospects(options, kept).points / float(SIDES) ** (DICE_COUNT - len(kept))


def scoring_chance(options: MagpieOptions, kept: Faces) -> float:
    """Return the chance (0 to 1) that rolling all but these dice, in rising order, scores."""
    return _prospects(options, kept).scoring / float(SIDES) ** (DICE_COUNT - len(kept))


def pay_range(options: MagpieOptions, kept: Faces) -> tuple[int, int]:
    """Return the least and the most points of a roll that scores, by the dice it keeps, in rising order; 0 if none."""
    prospects = _prospects(options, kept)
    return prospects.least, prospects.most


def chance_of_points(options: MagpieOptions, faces: Faces, move: Roll, least: int) -> float:
    """Return the chance (0 to 1) that a roll brings so many points or more."""
    return _chance_of_points(options, kept_dice(faces, move), least)


# 40 us of a click.
@lru_cache(maxsize=4096)
def _chance_of_points(options: MagpieOptions, kept: Faces, least: int) -> float:
    count = DICE_COUNT - len(kept)
    places = tuple(range(1, count + 1))
    enough = (ways for landed, ways in _landings(count) if score_roll(options, (*landed, *kept), places)[1] >= least)
    return sum(enough) / float(SIDES) ** count


# 40 us, for a hint.
@lru_cache(maxsize=512)
def combination_chances(options: MagpieOptions, kept: Faces) -> Mapping[Combination, float]:
    """Return the chance of scoring each combination by rolling all but these dice, in rising order."""
    count = DICE_COUNT - len(kept)
    places, ways_to = tuple(range(1, count + 1)), Counter[Combination]()
    for landed, ways in _landings(count):
        combination = score_roll(options, (*landed, *kept), places)[0]
        if combination is not None:
            ways_to[combination] += ways
    return {combination: ways_to[combination] / float(SIDES) ** count for combination in sorted(ways_to, reverse=True)}


class _Prospects(NamedTuple):
    """What the outcomes of a roll bring together; each way to roll one counts."""

    points: int
    scoring: int
    """How many of them score."""
    least: int
    """The fewest points of those that score."""
    most: int


# 0.2 ms of a click, and 1 ms of a computer player's move.
@lru_cache(maxsize=4096)
def _prospects(options: MagpieOptions, kept: Faces) -> _Prospects:
    """Return what the outcomes of the dice that are not kept bring."""
    count = DICE_COUNT - len(kept)
    places, points, scoring, worths = tuple(range(1, count + 1)), 0, 0, {0}
    for landed, ways in _landings(count):
        if worth := score_roll(options, (*landed, *kept), places)[1]:
            points += ways * worth
            scoring += ways
            worths.add(worth)
    least, *_others = sorted(worths)[1:] or (0,)
    return _Prospects(points, scoring, least, max(worths))


# 0.3 ms for each new entry of the caches above.
@lru_cache(maxsize=8)
def _landings(dice: int) -> tuple[tuple[Faces, int], ...]:
    """Return every outcome of some dice, in rising order, and the number of ways to roll it."""
    return tuple((landed, _count_ways(landed)) for landed in combinations_with_replacement(range(1, SIDES + 1), dice))


def _count_ways(landed: Faces) -> int:
    return factorial(len(landed)) // prod(factorial(count) for count in Counter(landed).values())
