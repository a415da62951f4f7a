"""What moves are worth: in expected credits of this turn, or in chances of winning."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.games.change.credit_values import CreditValues
from bot.games.change.move_values import MoveValues
from bot.games.change.moves import Move
from bot.games.change.pieces import View
from bot.games.change.plan import Plan
from bot.games.change.prospects import describe, foresee
from bot.games.change.win_network import WinNetwork, load_network
from bot.rules.content import Tables
from bot.rules.evaluation import Evaluation, Unit

_DIGITS: Final = 6
"""Decimals of chances: how NumPy rounds the others depends on machine and version."""


def evaluate_turn(view: View, moves: Sequence[Move]) -> Evaluation:
    """Return the value of each move, in credits of one's own minus the average of the others'."""
    value_of = CreditValues(view).value_of
    return Evaluation([value_of(move) for move in moves], Unit.POINTS)


def evaluate_wins(network: WinNetwork, view: View, moves: Sequence[Move]) -> Evaluation:
    """Return the chance of winning after each move: the turn is played out, and what follows estimated by a network."""

    def estimate(plans: Sequence[Plan]) -> Sequence[float]:
        if not plans:
            return ()
        features = describe(view.public.board, foresee(view, plans))
        found: list[float] = network.chances(network.activate(features))[:, 0].tolist()
        return found

    values = MoveValues(view).evaluate(moves, estimate)
    return Evaluation([round(value, _DIGITS) for value in values], Unit.WINS)


@dataclass(frozen=True, slots=True)
class WinEvaluator:
    """Finds the chance of winning after each move, with the stored network."""

    tables: Tables

    def __call__(self, view: View, moves: Sequence[Move]) -> Evaluation:
        """Return the value of each move.

        Raises:
            BrokenTables: The stored network can't be used.
        """
        return evaluate_wins(load_network(self.tables), view, moves)
