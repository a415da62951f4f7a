"""What a position says beyond its state: the odds of the next card, and what the newest events changed."""

from collections.abc import Callable, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from bot.games.houdinis_baggage.bonuses import supply_of
from bot.games.houdinis_baggage.cards import CARDS, Card
from bot.games.houdinis_baggage.legality import can_place, place_moves
from bot.games.houdinis_baggage.pieces import (
    AssignmentTaken,
    BaggageMoved,
    CardKept,
    CardPlaced,
    GameEvent,
    LastRound,
    Spot,
    State,
    TurnPlayed,
)
from bot.rules.game import Seat
from bot.words import format_odds


class TwinOdds(NamedTuple):
    """How many of the cards that can be drawn are twins of open cards. Rule HB-4."""

    twins: int
    left: int

    @classmethod
    def from_state(cls, view: State) -> "TwinOdds":
        """Count the twins in the draw pile."""
        return cls(sum(view.draw_pile[card] for card in view.open), sum(view.draw_pile))

    @property
    def share(self) -> str:
        """The chance of a twin, in whole percent."""
        return format_odds(self.twins / self.left)


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


_END_OF_TURN_EVENTS = (TurnPlayed, AssignmentTaken, LastRound)


def latest_events(events: Sequence[GameEvent]) -> tuple[GameEvent, ...]:
    """Return the newest event, or all events of a turn's end."""
    ended = tuple(takewhile(lambda event: isinstance(event, _END_OF_TURN_EVENTS), reversed(events)))
    return ended or tuple(events[-1:])


def newly_filled_spot(events: Sequence[GameEvent]) -> Spot | None:
    """Return the item that was just filled, or None."""
    match latest_events(events):
        case (CardPlaced(spot=spot),):
            return spot
        case (BaggageMoved(end=end),):
            return end
        case _:
            return None


def points_gained(events: Sequence[GameEvent], seat: Seat) -> int:
    """Return the points a seat has just scored."""
    turns = [event for event in latest_events(events) if isinstance(event, TurnPlayed) and event.seat == seat]
    return sum(each.points for turn in turns for each in turn.completed)


def newly_taken_assignments(events: Sequence[GameEvent]) -> frozenset[int]:
    """Return the numbers of the assignments just taken."""
    return frozenset(event.assignment.number for event in latest_events(events) if isinstance(event, AssignmentTaken))


def latest_kept_card(events: Sequence[GameEvent]) -> CardKept | None:
    """Return the event if a card has just been kept after a twin, or None."""
    match latest_events(events):
        case (CardKept() as kept,):
            return kept
        case _:
            return None
