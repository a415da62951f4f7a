"""The points of a roll: rules MP-5, MP-6, MP-7, MP-V1 and MP-V3."""

import pytest

from bot.games.magpie.pieces import Combination, MagpieOptions
from bot.games.magpie.rules import score_roll
from tests.games.magpie.naive import ROLLS, TABLES, score
from tests.games.magpie.positions import EVERY_MIX, PLAIN, V1, V1_V3, V2, V3, digits, play_from
from tests.support.each_case import each_case

TWO_PAIR, THREE, FULL_HOUSE, FOUR, FIVE = Combination

MIXES = [
    pytest.param(mix, id=f"V1={mix.double_big_rolls} V2={mix.reroll_fours} V3={mix.five_dice_bonus}")
    for mix in EVERY_MIX
]


@each_case(
    "rule, table, move, dice, options, points",
    [
        ("MP-5: the combination lies there, the 2 rolled is not in it", "11112", "roll 5", "6", PLAIN, 0),
        ("MP-5: one die of two is in it, both are paid", "11112", "roll 1 5", "13", PLAIN, 14),
        ("MP-6: full house with five dice", "12346", "roll 1 2 3 4 5", "33355", PLAIN, 20),
        ("MP-V1: ... doubled", "12346", "roll 1 2 3 4 5", "33355", V1, 40),
        ("MP-6: a second pair is made", "22541", "roll 4", "5", PLAIN, 1),
        ("MP-5: two pairs lie there, the die rolled is in none", "22551", "roll 5", "3", PLAIN, 0),
        ("MP-5: ... and completes a full house", "22551", "roll 5", "5", PLAIN, 4),
        ("MP-V3: nothing at all", "11111", "roll 1 2 3 4 5", "12346", V3, 7),
        ("MP-V3: two pairs are worth less than the bonus", "11111", "roll 1 2 3 4 5", "11223", V3, 7),
        ("MP-V1, MP-V3: two pairs doubled are worth more", "11111", "roll 1 2 3 4 5", "11223", V1_V3, 10),
    ],
)
def test_worked_cases(rule: str, table: str, move: str, dice: str, options: MagpieOptions, points: int) -> None:
    after, _ = play_from(f"{table} 20/30 0 -", move, dice, options)
    assert after.split(" ")[1] == f"{20 + points}/30", rule


@each_case(
    "faces, combination, chart",
    [
        ("22556", TWO_PAIR, (1, 2, 3, 4, 5)),
        ("44416", THREE, (2, 4, 6, 8, 10)),
        ("33355", FULL_HOUSE, (4, 8, 12, 16, 20)),
        ("11116", FOUR, (7, 14, 21, 28, 35)),
        ("66666", FIVE, (11, 22, 33, 44, 55)),
    ],
)
@each_case(
    "options, count, factor", [(PLAIN, 3, 1), (V2, 3, 1), (V1, 1, 1), (V1, 2, 1), (V1, 3, 2), (V1, 4, 2), (V1, 5, 2)]
)
def test_mp_6_mp_v1_mp_v2_the_chart(
    faces: str, combination: Combination, chart: tuple[int, ...], options: MagpieOptions, count: int, factor: int
) -> None:
    """MP-6, MP-V1 and MP-V2."""
    rolled = digits("12345"[:count])
    assert score_roll(options, digits(faces), rolled) == (combination, factor * chart[count - 1])


@pytest.mark.parametrize("options", MIXES)
def test_mp_5_mp_7_all_tables_and_rolls_agree_with_a_second_scorer(options: MagpieOptions, is_long: bool) -> None:
    """MP-5 and MP-7."""
    wrong = [
        (faces, rolled)
        for faces in (TABLES if is_long else TABLES[::7])
        for rolled in ROLLS
        if score_roll(options, faces, rolled) != score(options, faces, rolled)
    ]
    assert len(TABLES) * len(ROLLS) == 7776 * 31
    assert wrong == []
