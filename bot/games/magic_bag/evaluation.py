"""What moves are worth in expected final points."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.games.magic_bag.moves import Move
from bot.games.magic_bag.outlook import Outlook, find_outlook, load_network
from bot.games.magic_bag.pieces import State
from bot.games.magic_bag.turn_values import TurnValues, get_turn_values
from bot.rules.content import Tables
from bot.rules.evaluation import Evaluation, Unit

_DIGITS: Final = 6
"""Decimals of values: the others depend on how a machine rounds, and tell moves apart that are equal."""


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
