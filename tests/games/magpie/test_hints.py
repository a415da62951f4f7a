"""The odds of the target in hints, counted with the second scorer."""

from itertools import product
from statistics import fmean

from bot.games.magpie.minds.evaluation import evaluate_wins
from bot.games.magpie.pieces import Roll
from bot.games.magpie.study import HINTS
from bot.rules.study import RankedMove
from bot.words import format_odds
from tests.games.magpie.naive import score
from tests.games.magpie.positions import PLAIN, at
from tests.support.each_case import each_case


@each_case("position, missing", [("11223 96/40 0 -", 4), ("11223 88/40 0 -", 12), ("11223 20/40 0 -", None)])
def test_a_roll_that_can_reach_the_target_says_how_likely(position: str, missing: int | None) -> None:
    """MP-9."""
    state, roll = at(position), Roll((3, 4, 5))
    best = [RankedMove(roll, "roll", 0.0)]
    told = HINTS.explain(state, best, evaluate_wins(state, [roll])).odds[1:]
    enough = [
        score(PLAIN, (1, 1, *landed), roll.dice)[1] >= (missing or 0) for landed in product(range(1, 7), repeat=3)
    ]
    expected = f"the roll reaches {PLAIN.target} {format_odds(fmean(enough))}"
    assert list(told) == ([expected] if missing else [])
