"""Which row of The Magic Bag stands out on the screen."""

from bot.games.magic_bag.evaluation import evaluate_final_score
from bot.games.magic_bag.moves import Claim
from bot.games.magic_bag.pieces import State
from bot.rules.advice import find_clear_best

_CLEAR_LEAD = 15
"""By how many points a row is clearly best: with a smaller lead, the outlook that hints use often prefers another."""


def find_clear_claim(view: State) -> Claim | None:
    """Return the row that is clearly best after the last roll; None if the choice is close.

    Before the last roll there is no recommendation, because evaluating re-rolls takes too long for a click.
    """
    if view.rolls_left:
        return None
    claims = [Claim(row) for row in view.matching]
    return find_clear_best(zip(evaluate_final_score(view, claims).values, claims, strict=True), _CLEAR_LEAD)
