"""A second scorer for Magpie, written as plainly as can be; it shares only the figures with the first.

It follows rule MP-5 to the letter: of all combinations that can be picked from the five dice and contain a
rolled die, the best counts. So it also shows that looking at the five dice as a whole (MP-7) loses nothing.
"""

from functools import cache
from itertools import combinations, product

from bot.games.magpie.pieces import Combination, MagpieOptions
from bot.games.magpie.rules import BIG_ROLL, FIVE_DICE_BONUS

PLACES = (1, 2, 3, 4, 5)
ROLLS = [dice for count in PLACES for dice in combinations(PLACES, count)]
TABLES = list(product(range(1, 7), repeat=5))


def combination_of(faces: tuple[int, ...]) -> Combination | None:
    """Name the combination that exactly these dice form, all of them needed."""
    kinds = sorted(faces.count(face) for face in set(faces))
    if kinds == [2, 2]:
        return Combination.TWO_PAIR
    if kinds == [3]:
        return Combination.THREE_OF_A_KIND
    if kinds == [2, 3]:
        return Combination.FULL_HOUSE
    if kinds == [4]:
        return Combination.FOUR_OF_A_KIND
    if kinds == [5]:
        return Combination.FIVE_OF_A_KIND
    return None


@cache
def find_combinations(faces: tuple[int, ...]) -> tuple[tuple[Combination, frozenset[int]], ...]:
    """Find every combination that can be picked from five dice, best first, with the places of its dice."""
    found = [(combination_of(tuple(faces[place - 1] for place in dice)), frozenset(dice)) for dice in ROLLS]
    named = [(combination, dice) for combination, dice in found if combination is not None]
    return tuple(sorted(named, key=lambda pick: pick[0], reverse=True))


def plain_score(faces: tuple[int, ...], rolled: tuple[int, ...]) -> tuple[Combination | None, int]:
    """Score a roll by MP-5 and MP-6."""
    for combination, dice in find_combinations(faces):
        if not dice.isdisjoint(rolled):
            return combination, combination * len(rolled)
    return None, 0


def score(options: MagpieOptions, faces: tuple[int, ...], rolled: tuple[int, ...]) -> tuple[Combination | None, int]:
    """Score a roll with the variations MP-V1 and MP-V3; a bonus comes without a combination."""
    combination, points = plain_score(faces, rolled)
    if options.double_big_rolls and len(rolled) >= BIG_ROLL:
        points = 2 * points
    if options.five_dice_bonus and len(rolled) == 5 and not points > FIVE_DICE_BONUS:
        return None, FIVE_DICE_BONUS
    return combination, points
