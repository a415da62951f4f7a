"""The roll-off: a single leader starts, and only tied seats roll again."""

from bot.rules.chance import ScriptedChance
from bot.rules.game import RollOffRound, roll_off
from tests.support.each_case import each_case


@each_case(
    "seats, dice, faces, rounds",
    [
        (2, 1, "2 5", [[0, 1]]),
        (2, 2, "66 11", [[0, 1]]),
        (3, 1, "4 4 4  1 6 6  3 2", [[0, 1, 2], [0, 1, 2], [1, 2]]),
        (4, 2, "16 25 34 11  12 13 11", [[0, 1, 2, 3], [0, 1, 2]]),
        (1, 5, "", []),
    ],
)
def test_only_tied_seats_roll_again(seats: int, dice: int, faces: str, rounds: list[list[int]]) -> None:
    with ScriptedChance.from_faces(faces) as chance:
        rolled = roll_off(seats, dice, chance)
    assert [[seat for seat, _ in each.rolls] for each in rolled] == rounds
    assert all(len(shown) == dice for each in rolled for _, shown in each.rolls)


def test_the_highest_total_wins_with_any_dice() -> None:
    assert RollOffRound(((0, (6, 1)), (2, (3, 4)), (3, (5, 1)))).leaders == (0, 2)
