"""What moves are worth in chances of winning."""

from collections.abc import Sequence
from typing import Final

from bot.games.houdinis_baggage.moves import Bank, Done, Keep, Move, Open, Place, Shift, Stop, Take
from bot.games.houdinis_baggage.pieces import State
from bot.games.houdinis_baggage.planning import TurnPlanner
from bot.rules.evaluation import Evaluation, Unit

_DIGITS: Final = 9
"""Decimals of chances: the others depend on the machine, and in lost positions early ones tell moves apart."""


def evaluate_outlook(view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the chance of winning after each move if the turn goes on in the best way found."""
    planner = TurnPlanner(view, view.mover or 0)
    return Evaluation([round(min(1.0, _value_of(planner, view, move)), _DIGITS) for move in moves], Unit.WINS)


def _value_of(planner: TurnPlanner, view: State, move: Move) -> float:
    match move:
        case Open():
            return planner.value_of_opening(view.draw_pile)
        case Stop():
            return planner.value_of(planner.start)
        case Keep(card):
            return planner.value_of_keeping(card)
        case Take(number):
            chosen = next(each for each in view.row if each.number == number)
            return planner.value_of_taking(chosen)
        case Done():
            return planner.value_of_ending(planner.start)
        case Place() | Bank() | Shift():
            return planner.value_of(planner.after(move))
