"""The race of a game, and what is told of it."""

from collections.abc import Sequence

from bot.rules.race import (
    BestTurn,
    CloseFinish,
    Comeback,
    Fact,
    LeadChanges,
    LedThroughout,
    Race,
    find_facts,
    find_overtaker,
)
from tests.support.each_case import each_case


def race(*turns: str) -> Race:
    """Return the race with these scores after each turn, such as `3 0`."""
    return tuple(tuple(map(int, turn.split())) for turn in turns)


LED = race("0 0", "10 0", "10 5", "20 5", "20 10", "30 10", "30 15", "40 15")
BACK = race("0 0", "20 0", "20 1", "21 1", "21 2", "22 2", "22 30", "23 30")
LOW = race("50 50", "30 50", "30 49", "29 49", "29 48", "28 48", "28 0", "27 0")
CHANGES = race("0 0", "5 0", "5 9", "14 9", "14 18", "23 18", "23 24", "24 24", "30 24")


@each_case(
    "turns, winners, lower_is_better, facts",
    [
        (LED, (0,), False, (BestTurn(0, 10), LedThroughout(0))),
        (BACK, (1,), False, (BestTurn(1, 28), Comeback(1, 20))),
        (LOW, (1,), True, (BestTurn(1, 48), Comeback(1, 20))),
        (CHANGES, (0,), False, (LeadChanges(6),)),
        (CHANGES[:-1], (0, 1), False, (LeadChanges(5),)),
        # One point of 24 decides; both seats gained 9 at best.
        ((*CHANGES[:-2], (25, 24)), (0,), False, (LeadChanges(6), CloseFinish(1))),
        # Something else than scores decided, as a resignation or a tie-break.
        (LED, (), False, (BestTurn(0, 10),)),
        (race(*["7 7"] * 9), (0, 1), False, ()),
        (LED[:6], (0,), False, ()),
        ((), (0,), False, ()),
        (race("3", "10", "40", "35", "60", "60", "90", "91"), (0,), False, (BestTurn(0, 30),)),
    ],
)
def test_facts(turns: Race, winners: tuple[int, ...], lower_is_better: bool, facts: tuple[Fact, ...]) -> None:
    found = find_facts(turns, winners, lower_is_better=lower_is_better)
    assert found == facts
    assert len(found) <= 3


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
