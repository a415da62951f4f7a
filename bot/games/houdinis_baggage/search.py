"""What a seat can make of open cards: a good sequence of placements and moves, found by search."""

from collections.abc import Iterator
from functools import lru_cache
from math import fsum
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
"""How hard it is to meet a number, against a two."""

_BONUS_WORTH = 0.8
"""What the bonus of an assignment is worth beside its points, as long as the game goes on."""

_BONUS_COST = 0.02
"""What a bonus costs that is used: it will be there again in the next turn."""

_COMPLETION_SHARE = 0.3
"""The part of an assignment's worth that comes with its last item."""

PlanStep: TypeAlias = Place | Shift


class PlanContext(NamedTuple):
    """What stays the same while a seat plans its turn."""

    own: tuple[Assignment, ...]
    others: tuple[tuple[Assignment, ...], ...]
    is_last: bool
    """Whether the turn is the seat's last one: then only what is completed counts."""

    @classmethod
    def from_state(cls, state: State, seat: Seat) -> "PlanContext":
        """Return how a seat stands in a position."""
        return cls(state.players[seat].completed, completed_by_others(state, seat), state.end is not None)

    def remaining_supply(self, spent: tuple[int, ...]) -> BonusSupply:
        """Return the bonuses that are left."""
        return build_supply(self.own, self.others, spent) if self.own else NO_SUPPLY


class PlanState(NamedTuple):
    """What changes: open cards in their order, unfinished assignments and spent bonuses."""

    opened: tuple[Card, ...]
    tasks: tuple[Task, ...]
    spent: tuple[int, ...]


class Plan(NamedTuple):
    """Steps and what they are worth."""

    worth: float
    steps: tuple[PlanStep, ...]
    table: PlanState


@lru_cache(_CACHE_SIZE)
def find_best_plan(table: PlanState, standing: PlanContext, width: int) -> Plan:
    """Follow the best few beginnings of each length, and return the best plan among them; the shortest of equals."""
    start = best = Plan(0.0, (), table)
    plans = [start]
    while plans:
        longer: dict[PlanState, Plan] = {}
        for plan in plans:
            for step, gain, after in _generate_steps(plan.table, standing):
                worth = plan.worth + gain
                if after not in longer or longer[after].worth < worth:
                    longer[after] = Plan(worth, (*plan.steps, step), after)
        plans = sorted(longer.values(), key=lambda plan: -plan.worth)[:width]
        if plans and plans[0].worth > best.worth:
            best = plans[0]
    return best


def _generate_steps(table: PlanState, standing: PlanContext) -> Iterator[tuple[PlanStep, float, PlanState]]:
    """Yield what can be done, what it is worth and what it leads to."""
    there = standing.remaining_supply(table.spent)
    for place in place_moves(table.opened, table.tasks, there):
        opened = tuple([card for card in table.opened if card != place.card])
        tasks = set_item_card(table.tasks, place.spot, place.card)
        spent = tuple(sorted((*table.spent, *[use.number for use in place.uses]))) if place.uses else table.spent
        gain = _worth_of_filling(tasks, place.spot, standing) - _BONUS_COST * len(place.uses)
        yield place, gain, PlanState(opened, tasks, spent)
    for shift in shift_moves(table.tasks, there):
        freed = set_item_card(table.tasks, shift.start, None)
        tasks = set_item_card(freed, shift.end, card_on(table.tasks, shift.start))
        gain = _worth_of_filling(tasks, shift.end, standing)
        gain -= _worth_of_filling(table.tasks, shift.start, standing) + _BONUS_COST
        yield shift, gain, PlanState(table.opened, tasks, tuple(sorted((*table.spent, shift.use.number))))


def _worth_of_filling(tasks: tuple[Task, ...], spot: Spot, standing: PlanContext) -> float:
    """Return what it is worth that an item is filled."""
    task = next(task for task in tasks if task.assignment.number == spot.number)
    return worth_of_item(task.assignment, spot.at, is_last_item=task.is_filled, standing=standing)


def worth_of_item(assignment: Assignment, index: int, *, is_last_item: bool, standing: PlanContext) -> float:
    """Return what it is worth to fill an item; hard ones are worth more."""
    if standing.is_last:
        return float(assignment.points) if is_last_item else _BONUS_COST
    worth = assignment.points + _BONUS_WORTH
    share = _EFFORT_BY_NUMBER[assignment.items[index].number] / effort_of(assignment)
    return worth * ((1 - _COMPLETION_SHARE) * share + (_COMPLETION_SHARE if is_last_item else 0))


@lru_cache
def effort_of(assignment: Assignment) -> float:
    """Return how hard it is to meet all numbers of an assignment."""
    return fsum(
        _EFFORT_BY_NUMBER[item.number] for item in assignment.items
    )  # `sum` rounds otherwise from Python 3.12 on


def attraction_of(assignment: Assignment) -> float:
    """Return what an assignment is worth for the effort that it takes."""
    return (assignment.points + _BONUS_WORTH) / effort_of(assignment)
