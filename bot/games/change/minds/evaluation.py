"""What moves are worth, in expected credits of this turn or in chances of winning, and which one stands out."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter
from typing import Final

from bot.games.change.board import CornerAction
from bot.games.change.minds.credit_values import CreditValues
from bot.games.change.minds.move_values import MoveValues
from bot.games.change.minds.plans import Plan
from bot.games.change.minds.prospects import WinNetwork, describe, foresee, load_network
from bot.games.change.moves import Challenge, Move, Myself
from bot.games.change.pieces import PublicState, Stage, State, View
from bot.games.change.rules import legal_moves
from bot.games.change.turns import current_corner
from bot.rules.content import Tables
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.screen import find_clear_best

_DIGITS: Final = 6
"""Decimals of chances: how NumPy rounds the others depends on machine and version."""

_CLEAR_LEADS: dict[type[Move], float] = {Challenge: 2.0, Myself: 15.0}
"""By how many credits a move is clearly best. Hints agree with these, but often not with the others' values here."""


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


def recommend_move(public: PublicState) -> Move | None:
    """Return the move to recommend, or None if there is a choice and the best move depends on cards or is not clear."""
    seat = public.mover
    if seat is None or _depends_on_hand(public):
        return None
    moves = legal_moves(State(public, ((),) * len(public.credits), ()))
    if len(moves) == 1:
        return moves[0]
    worths = [*zip(evaluate_turn(View(public, seat, ()), moves).values, moves, strict=True)]
    best = max(worths, key=itemgetter(0))[1]
    return find_clear_best(worths, _CLEAR_LEADS[type(best)]) if type(best) in _CLEAR_LEADS else None


def _depends_on_hand(public: PublicState) -> bool:
    """Return whether the best move depends on the mover's hand."""
    if public.stage is Stage.CORNER:
        return current_corner(public).action is CornerAction.REPLACE and public.hand_sizes[public.turn] > 0
    return public.stage in (Stage.SWAP, Stage.KEEP) or (public.stage is Stage.FREE and public.may_play_cards)
