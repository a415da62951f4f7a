"""What moves are worth in expected points for the rest of the game."""

from collections.abc import Sequence

from bot.games.houdinis_baggage.moves import Bank, Done, Keep, Move, Open, Place, Shift, Stop, Take
from bot.games.houdinis_baggage.pieces import State
from bot.games.houdinis_baggage.planning import TurnPlanner
from bot.games.houdinis_baggage.strategy import mover_of
from bot.rules.evaluation import Evaluation, Unit


def evaluate_outlook(view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the value of the best way found to go on with the turn after each move, and of what it leaves behind."""
    planner = TurnPlanner(view, mover_of(view))
    return Evaluation([_value_of(planner, view, move) for move in moves], Unit.PROSPECTS)


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
            return planner.value_of_ending(planner.start) + planner.prospects.value_of_taking(chosen)
        case Done():
            return planner.value_of_ending(planner.start)
        case Place() | Bank() | Shift():
            return planner.value_of(planner.after(move))
