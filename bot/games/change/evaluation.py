"""What moves are worth in expected credits of this turn, with an estimate for what follows."""

from collections.abc import Sequence

from bot.games.change.moves import Move
from bot.games.change.pieces import View
from bot.games.change.strategy import MoveEvaluator
from bot.rules.evaluation import Evaluation, Unit


def evaluate_turn(view: View, moves: Sequence[Move]) -> Evaluation:
    """Return the value of each move, in credits of one's own minus the average of the others'."""
    evaluate = MoveEvaluator(view).evaluate
    return Evaluation([evaluate(move) for move in moves], Unit.POINTS)
