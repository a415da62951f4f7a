"""A computer player for Mr. Houdini's Baggage."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from bot.games.houdinis_baggage.cards import CARDS, Card, counts_of, has_trait
from bot.games.houdinis_baggage.moves import DONE, OPEN, STOP, Bank, Keep, Move, Take
from bot.games.houdinis_baggage.pieces import Phase, State
from bot.games.houdinis_baggage.placement import free_items
from bot.games.houdinis_baggage.search import PlanContext, PlanState, attraction_of, find_best_plan, worth_of_item
from bot.rules.chance import Chance

_ALWAYS_OPENED_CARDS = 2
"""So many cards are opened without a thought: a twin is unlikely, and costs little."""

_QUICK_WIDTH = 1
"""So many beginnings of a plan are followed while more cards can be opened ..."""

_FULL_WIDTH = 16
"""... and so many when it is settled which there are."""

_MANY_MOVES = 24
"""Half as many where there are more moves than that, so that nobody waits."""

_BANK_CARD_WORTH = 0.7
"""What a card in the bank is worth ..."""

_FULL_WORTH_BANK_SIZE = 8
"""... as long as there are no more than so many: who keeps all they have would never play on."""

_PROGRESS_SHARE = 0.1
"""The part of an item's worth that cards are worth which only lead up to its number."""


def follow_best_plan(view: State, moves: Sequence[Move], chance: Chance) -> Move:
    """Open cards as long as the next one should bring more than a twin would cost; then place them by plan."""
    match view.phase:
        case Phase.SEARCH:
            return OPEN if always_opens(view) or _is_opening_worthwhile(view) else STOP
        case Phase.TWIN:
            keeps = [move for move in moves if isinstance(move, Keep)]
            return max(keeps, key=lambda keep: _bank_value_of(view, keep.card))
        case Phase.PLACE:
            return _choose_step(view, _FULL_WIDTH if len(moves) <= _MANY_MOVES else _FULL_WIDTH // 2)
        case _:
            takes = [move for move in moves if isinstance(move, Take)]
            return max(takes, key=lambda take: _attraction(view, take))


def always_opens(view: State) -> bool:
    """Tell whether another card is opened whatever the cards are."""
    return len(view.open) < _ALWAYS_OPENED_CARDS


def _mover(view: State) -> int:
    return view.mover or 0


def _plan_state(view: State, more: tuple[Card, ...] = ()) -> PlanState:
    """Return the mover's table with some cards more; the order of open cards does not matter to a plan."""
    tasks = view.players[_mover(view)].tasks
    return PlanState(tuple(sorted({*view.open, *more})), tasks, tuple(sorted(view.spent)))


def _is_opening_worthwhile(view: State) -> bool:
    """Weigh what the open cards are worth against what they should be worth with the next one."""
    standing = PlanContext.from_state(view, _mover(view))
    heap = view.draw_pile
    now = find_best_plan(_plan_state(view), standing, _QUICK_WIDTH).worth
    coming, banked = 0.0, _worth_of_bank_card(view)
    for card in CARDS:
        if heap[card]:
            coming += heap[card] * (banked if card in view.open else _worth_with(view, card, standing))
    return coming > now * sum(heap)


def _worth_with(view: State, card: Card, standing: PlanContext) -> float:
    plan = find_best_plan(_plan_state(view, (card,)), standing, _QUICK_WIDTH)
    return plan.worth + _PROGRESS_SHARE * _progress_worth(plan.table, standing)


def _progress_worth(table: PlanState, standing: PlanContext) -> float:
    """Return what the cards that a plan leaves are worth on their way to items that ask for more of them."""
    counts = counts_of(table.opened)
    promise = 0.0
    for task in table.tasks:
        for index, (item, card) in enumerate(zip(task.assignment.items, task.cards, strict=True)):
            if card is None and counts[item.trait] < item.number:
                worth = worth_of_item(task.assignment, index, is_last_item=False, standing=standing)
                promise += worth * counts[item.trait] / item.number
    return promise


def _bank_value_of(view: State, card: Card) -> float:
    """Return how much a card in the bank may help: what the items ask for that it matches."""
    items = [item for _spot, item in free_items(view.players[_mover(view)].tasks)]
    return sum(item.number for item in items if has_trait(card, item.trait))


def _choose_step(view: State, width: int) -> Move:
    """Follow the best plan; add cards from the bank when that makes a better one."""
    standing = PlanContext.from_state(view, _mover(view))
    plan = find_best_plan(_plan_state(view), standing, width)
    best, price = plan.worth, _worth_of_bank_card(view)
    chosen: tuple[Card, ...] = ()
    for more in _bank_additions(view):
        worth = find_best_plan(_plan_state(view, more), standing, _QUICK_WIDTH).worth - price * len(more)
        if worth > best:
            best, chosen = worth, more
    if chosen:
        return Bank(chosen[0])
    return plan.steps[0] if plan.steps else DONE


def _worth_of_bank_card(view: State) -> float:
    """Return what a card in the bank is worth; the more there are, the less."""
    return _BANK_CARD_WORTH * min(1.0, _FULL_WORTH_BANK_SIZE / max(1, len(view.players[_mover(view)].bank)))


def _bank_additions(view: State) -> Iterator[tuple[Card, ...]]:
    """Yield what may be worth adding from the bank: any one card, or as many as an item asks for."""
    player, counts = view.players[_mover(view)], counts_of(view.open)
    there = [card for card in dict.fromkeys(player.bank) if card not in view.open]
    yield from ((card,) for card in there)
    for _spot, item in free_items(player.tasks) if there else ():
        missing = item.number - counts[item.trait]
        if missing > 1:
            yield from combinations([card for card in there if has_trait(card, item.trait)], missing)


def _attraction(view: State, take: Take) -> float:
    """Prefer what pays for its effort, and what asks for what the other assignment asks for."""
    chosen = next(each for each in view.row if each.number == take.number)
    asked = {item.trait for _spot, item in free_items(view.players[_mover(view)].tasks)}
    shared = sum(item.trait in asked for item in chosen.items)
    return attraction_of(chosen) * (1 + 0.05 * shared)
