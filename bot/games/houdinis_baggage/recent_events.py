"""What the newest events of Mr. Houdini's Baggage changed, for highlighting."""

from collections.abc import Sequence
from itertools import takewhile

from bot.games.houdinis_baggage.events import (
    AssignmentTaken,
    BaggageMoved,
    CardKept,
    CardPlaced,
    GameEvent,
    LastRound,
    TurnPlayed,
)
from bot.games.houdinis_baggage.moves import Spot
from bot.rules.game import Seat

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
