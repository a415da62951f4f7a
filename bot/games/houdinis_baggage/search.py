"""A search for a good sequence of placements and moved baggage."""

from collections.abc import Iterator
from functools import lru_cache
from math import fsum
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeAlias

from bot.games.houdinis_baggage.assignments import Assignment
from bot.games.houdinis_baggage.bonuses import NO_SUPPLY, BonusSupply, build_supply, completed_by_others
from bot.games.houdinis_baggage.cards import Card
from bot.games.houdinis_baggage.moves import Place, Shift, Spot
from bot.games.houdinis_baggage.pieces import State, Task
from bot.games.houdinis_baggage.placement import place_moves, shift_moves
from bot.games.houdinis_baggage.turns import card_on, set_item_card
from bot.rules.game import Seat

_CACHE_SIZE = 1024

_EFFORT_BY_NUMBER = {1: 0.55, 2: 1.0, 3: 1.9, 4: 3.2}
"""The difficulty of each number, relative to a two."""

_BONUS_VALUE = 0.8
"""The value of an assignment's bonus, in points, except in the last turn."""

_BONUS_COST = 0.02
"""The cost of using a bonus, which is available again next turn."""

_COMPLETION_SHARE = 0.3
"""The share of an assignment's value that its last item brings."""

PlanStep: TypeAlias = Place | Shift


class PlanContext(NamedTuple):
    """What does not change during a search."""

    own: tuple[Assignment, ...]
    others: tuple[tuple[Assignment, ...], ...]
    is_last: bool
    """Whether it is the seat's last turn, when only completed assignments count."""

    @classmethod
    def from_state(cls, state: State, seat: Seat) -> "PlanContext":
        """Return the context of a seat in a position."""
        return cls(state.players[seat].completed, completed_by_others(state, seat), state.end is not None)

    def remaining_supply(self, spent: tuple[int, ...]) -> BonusSupply:
        """Return the bonuses that are not spent."""
        return build_supply(self.own, self.others, spent) if self.own else NO_SUPPLY


class PlanState(NamedTuple):
    """What changes during a search: sorted open cards, unfinished assignments and spent bonuses."""

    opened: tuple[Card, ...]
    tasks: tuple[Task, ...]
    spent: tuple[int, ...]


class Plan(NamedTuple):
    """The value of some steps, and their result."""

    value: float
    state: PlanState


# 0.1 ms of a computer player's move.
@lru_cache(_CACHE_SIZE)
def find_best_plan(state: PlanState, context: PlanContext) -> Plan:
    """Return the best plan found by taking the most valuable step each time; the shortest of equals."""
    best = plan = Plan(0.0, state)
    while steps := list(generate_steps(plan.state, context)):
        _step, gain, after = max(steps, key=itemgetter(1))
        plan = Plan(plan.value + gain, after)
        best = max(best, plan, key=attrgetter("value"))
    return best


def generate_steps(state: PlanState, context: PlanContext) -> Iterator[tuple[PlanStep, float, PlanState]]:
    """Yield each possible step with its value and the state after it."""
    supply = context.remaining_supply(state.spent)
    for place in place_moves(state.opened, state.tasks, supply):
        opened = tuple([card for card in state.opened if card != place.card])
        tasks = set_item_card(state.tasks, place.spot, place.card)
        spent = tuple(sorted((*state.spent, *[use.number for use in place.uses]))) if place.uses else state.spent
        gain = _filling_value(tasks, place.spot, context) - _BONUS_COST * len(place.uses)
        yield place, gain, PlanState(opened, tasks, spent)
    for shift in shift_moves(state.tasks, supply):
        freed = set_item_card(state.tasks, shift.start, None)
        tasks = set_item_card(freed, shift.end, card_on(state.tasks, shift.start))
        gain = _filling_value(tasks, shift.end, context)
        gain -= _filling_value(state.tasks, shift.start, context) + _BONUS_COST
        yield shift, gain, PlanState(state.opened, tasks, tuple(sorted((*state.spent, shift.use.number))))


def _filling_value(tasks: tuple[Task, ...], spot: Spot, context: PlanContext) -> float:
    """Return the value of an item that was just filled."""
    task = next(task for task in tasks if task.assignment.number == spot.number)
    return item_value(task.assignment, spot.at, is_last_item=task.is_filled, context=context)


def item_value(assignment: Assignment, index: int, *, is_last_item: bool, context: PlanContext) -> float:
    """Return the value of filling an item: its share of the assignment's effort."""
    if context.is_last:
        return float(assignment.points) if is_last_item else _BONUS_COST
    value = assignment.points + _BONUS_VALUE
    share = _EFFORT_BY_NUMBER[assignment.items[index].number] / effort_of(assignment)
    return value * ((1 - _COMPLETION_SHARE) * share + (_COMPLETION_SHARE if is_last_item else 0))


def effort_of(assignment: Assignment) -> float:
    """Return the total difficulty of an assignment's numbers."""
    # From Python 3.12 on, `sum` rounds differently.
    return fsum(_EFFORT_BY_NUMBER[item.number] for item in assignment.items)


def value_per_effort(assignment: Assignment) -> float:
    """Return the value of an assignment relative to its effort."""
    return (assignment.points + _BONUS_VALUE) / effort_of(assignment)
