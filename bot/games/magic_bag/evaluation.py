"""What moves are worth in expected final points."""

from collections.abc import Sequence
from dataclasses import dataclass

from bot.games.magic_bag.moves import Claim, Discard, Move, Roll, Stop
from bot.games.magic_bag.outlook import find_outlook, load_network
from bot.games.magic_bag.pieces import State
from bot.games.magic_bag.strategy import (
    claim_worth,
    current_points,
    evaluate_turn,
    value_after_discard,
    value_after_failure,
)
from bot.rules.content import Tables
from bot.rules.evaluation import Evaluation, Unit


def evaluate_final_score(view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the expected final points after each move: exact for this turn, an estimate for later turns."""
    return Evaluation([_value_of(view, move) for move in moves], Unit.FINAL_POINTS)


def _value_of(view: State, move: Move) -> float:
    layout = view.layout
    match move:
        case Claim():
            return claim_worth(layout, move, view.faces)
        case Roll():
            return evaluate_turn(layout)[view.rolls_left - 1].expected_value(move.suits, view.faces)
        case Discard():
            return value_after_discard(layout, move)
        case Stop():
            return value_after_failure(layout)
        case _:
            return float(current_points(layout))


@dataclass(frozen=True, slots=True)
class OutlookEvaluator:
    """Finds the expected final points after each move: exact for this turn, learned for later turns."""

    tables: Tables

    def __call__(self, view: State, moves: Sequence[Move]) -> Evaluation:
        """Return the value of each move.

        Raises:
            BrokenTables: The stored network can't be used.
        """
        outlook = find_outlook(view.layout, load_network(self.tables))
        return Evaluation([outlook.value_of(move, view.faces, view.rolls_left) for move in moves], Unit.FINAL_POINTS)
