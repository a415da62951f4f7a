"""The odds of the next card: what can be filled once it is open."""

from collections.abc import Callable, Iterator

from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.cards import CARDS, Card
from bot.games.houdinis_baggage.forced_ends import can_place
from bot.games.houdinis_baggage.moves import Spot
from bot.games.houdinis_baggage.pieces import State
from bot.games.houdinis_baggage.placement import place_moves


def last_items(view: State) -> Iterator[Spot]:
    """Yield the items that alone are free of the mover's assignments."""
    for task in view.players[view.mover or 0].tasks:
        if task.cards.count(None) == 1:
            yield Spot(task.assignment.number, task.cards.index(None))


def can_fill(view: State, spot: Spot) -> bool:
    """Return whether an open card fits an item at once, perhaps with bonuses. Rules HB-6 and HB-12."""
    tasks = view.players[view.mover or 0].tasks
    return any(place.spot == spot for place in place_moves(view.open, tasks, supply_of(view)))


def chance_to_fill(view: State, spot: Spot) -> float:
    """Return the chance that an item can be filled after another card, which must be no twin."""
    return _chance(view, lambda after: can_fill(after, spot))


def chance_to_place(view: State) -> float:
    """Return the chance that anything can be done with the open cards after another one, which must be no twin."""
    return _chance(view, can_place)


def _chance(view: State, is_good: Callable[[State], bool]) -> float:
    """Return the chance that a position is good after another card. Rules HB-3 to HB-5."""
    pile = view.draw_pile
    return sum(pile[card] for card in _new_cards(view) if is_good(view._replace(open=(*view.open, card)))) / sum(pile)


def _new_cards(view: State) -> Iterator[Card]:
    """Yield the kinds of cards that may come and are no twins."""
    return (card for card in CARDS if view.draw_pile[card] and card not in view.open)
