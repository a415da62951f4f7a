"""The plans of Easy and Normal: a search for a good sequence of placements and moved baggage."""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import combinations
from math import fsum
from operator import attrgetter, itemgetter
from typing import NamedTuple, TypeAlias

from bot.games.houdinis_baggage.cards import (
    CARDS,
    NO_SUPPLY,
    Assignment,
    BonusSupply,
    Card,
    build_supply,
    has_trait,
    trait_values,
)
from bot.games.houdinis_baggage.legality import can_place, completed_by_others, free_items, place_moves, shift_moves
from bot.games.houdinis_baggage.pieces import (
    DONE,
    Bank,
    Keep,
    Move,
    Open,
    Phase,
    Place,
    Shift,
    Spot,
    State,
    Stop,
    Take,
    Task,
)
from bot.games.houdinis_baggage.rules import card_on, set_item_card
from bot.rules.evaluation import Evaluation, Unit
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

_OPENED_BLINDLY = 0.0, 1.0
"""The values of stopping and of another card where no plan is looked for: Easy never gives up so large a lead."""

_ALWAYS_OPENED_CARDS = 2
"""Easy and Normal always open this many cards: a twin is unlikely and costs little."""

_BANK_CARD_VALUE = 0.7
"""The value of a card in the bank."""

_FULL_VALUE_BANK_SIZE = 8
"""In a larger bank a card is worth less, so that cards are not hoarded."""

_PLANS_FOLLOWED = 8
"""How many positions are followed where only what can be placed matters."""

_PROGRESS_SHARE = 0.1
"""The share of an item's value credited for open cards that lead up to its number."""


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


def always_opens(view: State) -> bool:
    """Return whether Easy and Normal open another card without a search: few are open, or nothing fits."""
    return len(view.open) < _ALWAYS_OPENED_CARDS or not can_place(view)


def plan_state_of(view: State, more: tuple[Card, ...] = ()) -> PlanState:
    """Return the mover's planning state with extra cards. It is sorted, because the order does not matter."""
    return PlanState(tuple(sorted({*view.open, *more})), view.acting.tasks, tuple(sorted(view.spent)))


def search_values(view: State) -> tuple[float, float]:
    """Return the value of stopping with the open cards, and the expected value after opening another."""
    context = PlanContext.from_state(view, view.mover or 0)
    pile = view.draw_pile
    current = find_best_plan(plan_state_of(view), context).value
    total, banked = 0.0, bank_card_value(view)
    for card in CARDS:
        if pile[card]:
            value = banked
            if card not in view.open:
                plan = find_best_plan(plan_state_of(view, (card,)), context)
                value = plan.value + _PROGRESS_SHARE * _progress_value(plan.state, context)
            total += pile[card] * value
    return current, total / sum(pile)


def _progress_value(state: PlanState, context: PlanContext) -> float:
    """Return the value of the cards left by a plan as progress towards items with higher numbers."""
    counts = trait_values(state.opened)
    total = 0.0
    for task in state.tasks:
        for index, (item, card) in enumerate(zip(task.assignment.items, task.cards, strict=True)):
            if card is None and counts[item.trait] < item.number:
                value = item_value(task.assignment, index, is_last_item=False, context=context)
                total += value * counts[item.trait] / item.number
    return total


def matched_numbers(tasks: tuple[Task, ...], card: Card) -> int:
    """Return the sum of the numbers of free items that a card matches: how useful it is in the bank."""
    return sum(item.number for _spot, item in free_items(tasks) if has_trait(card, item.trait))


class PlannedPlacements(NamedTuple):
    """What can be done with the open cards alone if the search ends."""

    cards: int
    """The number of cards that are placed."""
    points: int
    """The points of the assignments that they complete."""


def plan_placements(view: State) -> PlannedPlacements:
    """Return the most valuable placements found by following the best few positions. Rules HB-6 and HB-9."""
    context, start = PlanContext.from_state(view, view.mover or 0), plan_state_of(view)
    best, reached = Plan(0.0, start), {start: 0.0}
    while reached:
        best = max(best, *[Plan(value, state) for state, value in reached.items()], key=attrgetter("value"))
        following: dict[PlanState, float] = {}
        for state, value in reached.items():
            for step, gain, after in generate_steps(state, context):
                if isinstance(step, Place):
                    following[after] = max(value + gain, following.get(after, 0.0))
        reached = dict(nlargest(_PLANS_FOLLOWED, following.items(), key=itemgetter(1)))
    points = sum(task.assignment.points for task in best.state.tasks if task.is_filled)
    return PlannedPlacements(len(start.opened) - len(best.state.opened), points)


def bank_card_value(view: State) -> float:
    """Return the value of a card in the bank, which decreases with the bank's size."""
    return _BANK_CARD_VALUE * min(1.0, _FULL_VALUE_BANK_SIZE / max(1, len(view.acting.bank)))


def bank_additions(view: State) -> Iterator[tuple[Card, ...]]:
    """Yield sets of bank cards to consider adding: single cards, and as many as an item lacks."""
    player, counts = view.acting, trait_values(view.open)
    available = [card for card in dict.fromkeys(player.bank) if card not in view.open]
    yield from ((card,) for card in available)
    for _spot, item in free_items(player.tasks) if available else ():
        missing = item.number - counts[item.trait]
        if missing > 1:
            yield from combinations([card for card in available if has_trait(card, item.trait)], missing)


def take_value(view: State, take: Take) -> float:
    """Return the value of taking an assignment; traits shared with the other assignment add to it."""
    chosen = view.find_assignment(take.number)
    needed = {item.trait for _spot, item in free_items(view.acting.tasks)}
    shared = sum(item.trait in needed for item in chosen.items)
    return value_per_effort(chosen) * (1 + 0.05 * shared)


def evaluate_plans(view: State, moves: Sequence[Move]) -> Evaluation:
    """Return the value of the best plan found that begins with each move.

    A card that is opened without a search counts as a point, and stopping instead as nothing.
    """
    values: Mapping[Move, float]
    match view.phase:
        case Phase.SEARCH:
            current, after = _OPENED_BLINDLY if always_opens(view) else search_values(view)
            values = {Stop(): current, Open(): after}
        case Phase.TWIN:
            kept = [move for move in moves if isinstance(move, Keep)]
            values = {move: matched_numbers(view.acting.tasks, move.card) for move in kept}
        case Phase.PLACE:
            values = value_steps(view)
        case _:
            values = {move: take_value(view, move) for move in moves if isinstance(move, Take)}
    return Evaluation([values.get(move, 0.0) for move in moves], Unit.POINTS)


def value_steps(view: State) -> Mapping[Move, float]:
    """Return the values of placing, of moving baggage and of using the bank; ending the phase is worth nothing."""
    context, price = PlanContext.from_state(view, view.mover or 0), bank_card_value(view)
    values: dict[Move, float] = {
        step: gain + find_best_plan(after, context).value
        for step, gain, after in generate_steps(plan_state_of(view), context)
    }
    values[DONE] = 0.0
    for cards in bank_additions(view):
        value = find_best_plan(plan_state_of(view, cards), context).value - price * len(cards)
        values |= {Bank(card): max(value, values.get(Bank(card), value)) for card in cards}
    return values
