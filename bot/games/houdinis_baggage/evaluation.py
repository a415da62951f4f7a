"""What moves are worth in expected points."""

from collections.abc import Mapping, Sequence

from bot.games.houdinis_baggage.moves import Bank, Keep, Move, Open, Stop, Take
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.games.houdinis_baggage.plan_values import (
    always_opens,
    bank_additions,
    bank_card_value,
    keep_value,
    plan_state_of,
    search_values,
    take_value,
)
from bot.games.houdinis_baggage.search import PlanContext, find_best_plan, generate_steps
from bot.rules.evaluation import Evaluation, Unit

_OPENED_BLINDLY = 0.0, 1.0
"""The values of stopping and of another card where no plan is looked for: Easy never gives up so large a lead."""


def evaluate_plans(view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the value of the best plan found that begins with each move.

    A card that is opened without a search counts as a point, and stopping instead as nothing.
    """
    values = _values_of(view, moves)
    return Evaluation([values.get(move, 0.0) for move in moves], Unit.POINTS)


def _values_of(view: State, moves: Sequence[Move]) -> Mapping[Move, float]:
    match view.phase:
        case Phase.SEARCH:
            current, after = _OPENED_BLINDLY if always_opens(view) else search_values(view)
            return {Stop(): current, Open(): after}
        case Phase.TWIN:
            return {move: keep_value(view, move.card) for move in moves if isinstance(move, Keep)}
        case Phase.PLACE:
            return _values_of_steps(view)
        case _:
            return {move: take_value(view, move) for move in moves if isinstance(move, Take)}


def _values_of_steps(view: State) -> Mapping[Move, float]:
    """Return the values of placing, of moving baggage and of using the bank; ending the phase is worth nothing."""
    context, price = PlanContext.from_state(view, view.mover or 0), bank_card_value(view)
    values: dict[Move, float] = {
        step: gain + find_best_plan(after, context).value
        for step, gain, after in generate_steps(plan_state_of(view), context)
    }
    for cards in bank_additions(view):
        value = find_best_plan(plan_state_of(view, cards), context).value - price * len(cards)
        values |= {Bank(card): max(value, values.get(Bank(card), value)) for card in cards}
    return values
