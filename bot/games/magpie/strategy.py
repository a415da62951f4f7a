"""The computer player of Magpie."""

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import NamedTuple

from bot.games.magpie.moves import ROLLS, Roll
from bot.games.magpie.pieces import DICE_COUNT, Combination, Faces, MagpieOptions, State
from bot.games.magpie.scoring import SCORE_STEP, score_roll
from bot.rules.advice import find_clear_best
from bot.rules.chance import Chance

_SIDES = 6
_LANDING_COUNTS = tuple(int(_SIDES**dice) for dice in range(DICE_COUNT))


def maximize_expected_score(view: State, moves: Sequence[Roll], chance: Chance) -> Roll:
    """Choose the roll with the highest expected score; of equals, the one with the fewest dice."""
    return max(moves, key=lambda move: scaled_worth(view.options, view.faces, move))


def is_clearly_best(view: State, kept: Faces) -> bool:
    """Return whether keeping these dice, in rising order, is clearly the best; equal dice are interchangeable.

    In the last round only the score to beat counts, so that nothing is. Rule MP-9.
    """
    return view.trigger is None and kept == _clear_kept_dice(view.options, tuple(sorted(view.faces)))


# 0.2 ms of a click, whose buttons recommend a roll.
@lru_cache(maxsize=4096)
def _clear_kept_dice(options: MagpieOptions, faces: Faces) -> Faces | None:
    """Return the dice that the best roll keeps, in rising order; None if the choice is close."""
    worths = {kept_dice(faces, move): scaled_worth(options, faces, move) / _SIDES**DICE_COUNT for move in ROLLS}
    return find_clear_best(((worth, kept) for kept, worth in worths.items()), SCORE_STEP / 2)


def scaled_worth(options: MagpieOptions, faces: Faces, move: Roll) -> int:
    """Return the expected points times 6^5, exact; equal dice are interchangeable."""
    kept = kept_dice(faces, move)
    return _prospects(options, kept).points * _LANDING_COUNTS[len(kept)]


def kept_dice(faces: Faces, move: Roll) -> Faces:
    """Return the dice that a roll keeps, in rising order."""
    return tuple(sorted([face for place, face in enumerate(faces, 1) if place not in move.dice]))


def scoring_chance(options: MagpieOptions, kept: Faces) -> float:
    """Return the chance (0 to 1) that rolling all but these dice, in rising order, scores."""
    return _prospects(options, kept).scoring / float(_SIDES) ** (DICE_COUNT - len(kept))


def chance_of_points(options: MagpieOptions, faces: Faces, move: Roll, least: int) -> float:
    """Return the chance (0 to 1) that a roll brings so many points or more."""
    return _chance_of_points(options, kept_dice(faces, move), least)


# 40 us of a click.
@lru_cache(maxsize=4096)
def _chance_of_points(options: MagpieOptions, kept: Faces, least: int) -> float:
    count = DICE_COUNT - len(kept)
    places = tuple(range(1, count + 1))
    enough = (ways for landed, ways in _landings(count) if score_roll(options, (*landed, *kept), places)[1] >= least)
    return sum(enough) / float(_SIDES) ** count


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
    return {combination: ways_to[combination] / float(_SIDES) ** count for combination in sorted(ways_to, reverse=True)}


class _Prospects(NamedTuple):
    """What the outcomes of a roll bring together; each way to roll one counts."""

    points: int
    scoring: int
    """How many of them score."""


# 0.2 ms of a click, and 1 ms of a computer player's move.
@lru_cache(maxsize=4096)
def _prospects(options: MagpieOptions, kept: Faces) -> _Prospects:
    """Return what the outcomes of the dice that are not kept bring."""
    count = DICE_COUNT - len(kept)
    places, points, scoring = tuple(range(1, count + 1)), 0, 0
    for landed, ways in _landings(count):
        if worth := score_roll(options, (*landed, *kept), places)[1]:
            points += ways * worth
            scoring += ways
    return _Prospects(points, scoring)


def prepare() -> None:
    """Look at every roll with the default options: the first screens of a process would take their time otherwise."""
    for faces in combinations_with_replacement(range(1, _SIDES + 1), DICE_COUNT):
        _clear_kept_dice(MagpieOptions(), faces)


# 0.3 ms for each new entry of the caches above.
@cache
def _landings(dice: int) -> tuple[tuple[Faces, int], ...]:
    """Return every outcome of some dice, in rising order, and the number of ways to roll it."""
    return tuple((landed, _count_ways(landed)) for landed in combinations_with_replacement(range(1, _SIDES + 1), dice))


def _count_ways(landed: Faces) -> int:
    return factorial(len(landed)) // prod(factorial(count) for count in Counter(landed).values())
