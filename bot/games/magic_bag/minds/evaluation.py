"""What moves are worth in expected final points, and which row stands out on the screen."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.games.magic_bag.minds.outlook import Outlook, find_outlook, load_network
from bot.games.magic_bag.minds.turn_values import TurnValues, get_turn_values
from bot.games.magic_bag.pieces import Claim, Move, State
from bot.rules.content import Tables
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.screen import find_clear_best

_DIGITS: Final = 6
"""Decimals of values: the others depend on how a machine rounds, and tell moves apart that are equal."""

_CLEAR_LEAD = 15
"""By how many points a row is clearly best: with a smaller lead, the outlook that hints use often prefers another."""


def evaluate_final_score(view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the expected final points after each move: exact for this turn, an estimate for later turns."""
    return _evaluate(get_turn_values(view.layout), view, moves)


def _evaluate(turn: TurnValues | Outlook, view: State, moves: Sequence[Move]) -> Evaluation:
    values = [round(turn.value_of(move, view.faces, view.rolls_left), _DIGITS) for move in moves]
    return Evaluation(values, Unit.FINAL_POINTS)


@dataclass(frozen=True, slots=True)
class OutlookEvaluator:
    """Finds the expected final points after each move: exact for this turn, learned for later turns."""

    tables: Tables

    def __call__(self, view: State, moves: Sequence[Move]) -> Evaluation:
        """Return the value of each move.

        Raises:
            BrokenTables: The stored network can't be used.
        """
        return _evaluate(find_outlook(view.layout, load_network(self.tables)), view, moves)


def find_clear_claim(view: State) -> Claim | None:
    """Return the row that is clearly best after the last roll; None if the choice is close.

    Before the last roll there is no recommendation, because evaluating re-rolls takes too long for a click.
    """
    if view.rolls_left:
        return None
    claims = [Claim(row) for row in view.matching]
    return find_clear_best(zip(evaluate_final_score(view, claims).values, claims, strict=True), _CLEAR_LEAD)
