"""What moves are worth: in expected credits of this turn, or in chances of winning."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from bot.games.change.move_values import MoveValues
from bot.games.change.moves import Move
from bot.games.change.pieces import Stage, View
from bot.games.change.plan import Plan
from bot.games.change.prospects import Prospects, describe
from bot.games.change.strategy import MoveEvaluator
from bot.games.change.win_network import load_network
from bot.rules.content import Tables
from bot.rules.evaluation import Evaluation, Unit
from bot.rules.game import Seat


def evaluate_turn(view: View, moves: Sequence[Move]) -> Evaluation:
    """Return the value of each move, in credits of one's own minus the average of the others'."""
    evaluate = MoveEvaluator(view).evaluate
    return Evaluation([evaluate(move) for move in moves], Unit.POINTS)


@dataclass(frozen=True, slots=True)
class WinEvaluator:
    """Finds the chance of winning after each move: the turn is played out, and what follows estimated."""

    tables: Tables

    def __call__(self, view: View, moves: Sequence[Move]) -> Evaluation:
        """Return the value of each move.

        Raises:
            BrokenTables: The stored network can't be used.
        """
        network = load_network(self.tables)

        def estimate(plans: Sequence[Plan]) -> Sequence[float]:
            if not plans:
                return ()
            features = describe(view.public.board, _prospects_of(view, plans))
            found: list[float] = network.chances(network.activate(features))[:, 0].tolist()
            return found

        return Evaluation(MoveValues(view).evaluate(moves, estimate), Unit.WINS)


def _prospects_of(view: View, plans: Sequence[Plan]) -> Prospects:
    """Return the starts of the next turn if plans come true."""
    public = view.public
    seats, kinds = len(public.credits), len(public.board.cards)
    viewer = public.turn if view.seat is None else view.seat
    next_seat = public.turn + (public.stage is not Stage.ROLL)
    unseen = np.tile(public.hand_sizes, (len(plans), 1))
    unseen[:, viewer] = [plan.unseen for plan in plans]

    return Prospects(
        credits=_turn([plan.credits for plan in plans], viewer).astype(float),
        markers=_turn([plan.markers for plan in plans], viewer),
        ragz_spaces=_turn([plan.ragz_spaces for plan in plans], viewer),
        unseen=_turn(unseen, viewer),
        known=np.array([np.bincount(plan.hand, minlength=kinds) for plan in plans]),
        next_seat=np.full(len(plans), (next_seat - viewer) % seats),
        sets=public.options.sets,
    )


def _turn(rows: ArrayLike, viewer: Seat) -> NDArray[Any]:
    """Return what each seat has, from the viewer on."""
    return np.roll(rows, -viewer, axis=1)
