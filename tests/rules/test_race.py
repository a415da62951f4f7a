"""The race of a game."""

from collections.abc import Sequence

from bot.rules.race import Race, find_overtaker
from tests.support.each_case import each_case


def race(*turns: str) -> Race:
    """Return the race with these scores after each turn, such as `3 0`."""
    return tuple(tuple(map(int, turn.split())) for turn in turns)


@each_case(
    "turns, lower_is_better, seat",
    [
        (("0 0", "9 0", "9 1", "9 1", "9 2", "9 10"), False, 1),
        (("50 50", "9 50", "9 40", "9 40", "9 30", "9 8"), True, 1),
        # The lead was taken in the second round, or was new itself.
        (("0 0", "9 0", "9 1", "9 10"), False, None),
        (("0 0", "9 0", "9 1", "9 10", "9 10", "11 10"), False, None),
        # Drawing level is not enough, but overtaking from there is.
        (("0 0", "9 0", "9 1", "9 1", "9 2", "9 9"), False, None),
        (("0 0", "9 0", "9 1", "9 1", "9 9", "9 12"), False, 1),
        (("0 0", "9 0", "9 1", "9 1", "9 2", "19 2"), False, None),
        ((), False, None),
    ],
)
def test_who_overtakes_a_leader_of_a_whole_round(turns: Sequence[str], lower_is_better: bool, seat: int | None) -> None:
    assert find_overtaker(race(*turns), lower_is_better=lower_is_better) == seat
