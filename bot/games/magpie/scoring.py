"""The points for five dice."""

from functools import lru_cache

from bot.games.magpie.pieces import Combination, Faces, MagpieOptions

SCORE_STEP = 1
"""The smallest difference between two scores."""

FIVE_DICE_BONUS = 7
BIG_ROLL = 3

_COMBINATIONS = {
    (2, 2): Combination.TWO_PAIR,
    (3,): Combination.THREE_OF_A_KIND,
    (3, 2): Combination.FULL_HOUSE,
    (4,): Combination.FOUR_OF_A_KIND,
    (5,): Combination.FIVE_OF_A_KIND,
}


def combination_of(faces: Faces) -> tuple[Combination | None, frozenset[int]]:
    """Return the combination of the five dice as a whole, and the places (1 to 5) of its dice. Rule MP-7."""
    combination, members = _find_combination(tuple(sorted(faces)))
    return combination, frozenset(place for place, face in enumerate(faces, 1) if face in members)


# 5 us of a click.
@lru_cache(maxsize=256)
def _find_combination(faces: Faces) -> tuple[Combination | None, frozenset[int]]:
    """Return the combination of dice in rising order, and the faces that form it: all dice with such a face do."""
    groups = {face: count for face in set(faces) if (count := faces.count(face)) > 1}
    combination = _COMBINATIONS.get(tuple(sorted(groups.values(), reverse=True)))
    return combination, frozenset(groups) if combination else frozenset()


def score_roll(options: MagpieOptions, faces: Faces, rolled: tuple[int, ...]) -> tuple[Combination | None, int]:
    """Return the scoring combination after rolling the dice at these places, and its points.

    Rules MP-5, MP-6, MP-V1 and MP-V3. The bonus of MP-V3 has no combination.
    """
    combination, members = _find_combination(tuple(sorted(faces)))
    count = len(rolled)
    if combination is None or members.isdisjoint([faces[place - 1] for place in rolled]):
        combination, points = None, 0
    else:
        points = combination * count
        if is_doubled(options, count):
            points *= 2
    if options.five_dice_bonus and count == len(faces) and points < FIVE_DICE_BONUS:
        return None, FIVE_DICE_BONUS
    return combination, points


def is_doubled(options: MagpieOptions, count: int) -> bool:
    """Return whether rolling this many dice pays double. Rule MP-V1."""
    return options.double_big_rolls and count >= BIG_ROLL


def clears_table(options: MagpieOptions, combination: Combination | None) -> bool:
    """Return whether all five dice are re-rolled after scoring a combination. Rules MP-8 and MP-V2."""
    return combination is Combination.FIVE_OF_A_KIND or (
        options.reroll_fours and combination is Combination.FOUR_OF_A_KIND
    )
