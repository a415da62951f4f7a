"""What opening, keeping, adding and taking cards of Mr. Houdini's Baggage is worth in points, by what they allow."""

from collections.abc import Iterator
from itertools import combinations

from bot.games.houdinis_baggage.cards import CARDS, Card, has_trait, trait_values
from bot.games.houdinis_baggage.forced_ends import can_place
from bot.games.houdinis_baggage.moves import Take
from bot.games.houdinis_baggage.pieces import State
from bot.games.houdinis_baggage.placement import free_items
from bot.games.houdinis_baggage.search import PlanContext, PlanState, find_best_plan, item_value, value_per_effort

_ALWAYS_OPENED_CARDS = 2
"""Easy and Normal always open this many cards: a twin is unlikely and costs little."""

_BANK_CARD_VALUE = 0.7
"""The value of a card in the bank."""

_FULL_VALUE_BANK_SIZE = 8
"""In a larger bank a card is worth less, so that cards are not hoarded."""

_PROGRESS_SHARE = 0.1
"""The share of an item's value credited for open cards that lead up to its number."""


def always_opens(view: State) -> bool:
    """Return whether Easy and Normal open another card without a search: few are open, or nothing fits."""
    return len(view.open) < _ALWAYS_OPENED_CARDS or not can_place(view)


def plan_state_of(view: State, more: tuple[Card, ...] = ()) -> PlanState:
    """Return the mover's planning state with extra cards. It is sorted, because the order does not matter."""
    tasks = view.players[view.mover or 0].tasks
    return PlanState(tuple(sorted({*view.open, *more})), tasks, tuple(sorted(view.spent)))


def search_values(view: State) -> tuple[float, float]:
    """Return the value of stopping with the open cards, and the expected value after opening another."""
    context = PlanContext.from_state(view, view.mover or 0)
    pile = view.draw_pile
    current = find_best_plan(plan_state_of(view), context).value
    total, banked = 0.0, bank_card_value(view)
    for card in CARDS:
        if pile[card]:
            total += pile[card] * (banked if card in view.open else _value_with(view, card, context))
    return current, total / sum(pile)


def _value_with(view: State, card: Card, context: PlanContext) -> float:
    plan = find_best_plan(plan_state_of(view, (card,)), context)
    return plan.value + _PROGRESS_SHARE * _progress_value(plan.state, context)


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


def keep_value(view: State, card: Card) -> float:
    """Return the value of keeping a card after a twin: the sum of the numbers it matches."""
    items = [item for _spot, item in free_items(view.players[view.mover or 0].tasks)]
    return sum(item.number for item in items if has_trait(card, item.trait))


def bank_card_value(view: State) -> float:
    """Return the value of a card in the bank, which decreases with the bank's size."""
    return _BANK_CARD_VALUE * min(1.0, _FULL_VALUE_BANK_SIZE / max(1, len(view.players[view.mover or 0].bank)))


def bank_additions(view: State) -> Iterator[tuple[Card, ...]]:
    """Yield sets of bank cards to consider adding: single cards, and as many as an item lacks."""
    player, counts = view.players[view.mover or 0], trait_values(view.open)
    available = [card for card in dict.fromkeys(player.bank) if card not in view.open]
    yield from ((card,) for card in available)
    for _spot, item in free_items(player.tasks) if available else ():
        missing = item.number - counts[item.trait]
        if missing > 1:
            yield from combinations([card for card in available if has_trait(card, item.trait)], missing)


def take_value(view: State, take: Take) -> float:
    """Return the value of taking an assignment; traits shared with the other assignment add to it."""
    chosen = next(each for each in view.row if each.number == take.number)
    needed = {item.trait for _spot, item in free_items(view.players[view.mover or 0].tasks)}
    shared = sum(item.trait in needed for item in chosen.items)
    return value_per_effort(chosen) * (1 + 0.05 * shared)
