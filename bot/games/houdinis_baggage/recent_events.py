"""What has just changed at a table of Mr. Houdini's Baggage: the newest event, or all that ended a turn."""

from collections.abc import Sequence
from itertools import takewhile

from bot.games.houdinis_baggage.events import (
    AssignmentTaken,
    BaggageMoved,
    CardKept,
    CardPlaced,
    LastRound,
    TurnPlayed,
)
from bot.games.houdinis_baggage.moves import Spot
from bot.rules.game import Event, Seat

_END_OF_TURN_EVENTS = (TurnPlayed, AssignmentTaken, LastRound)


def latest_events(news: Sequence[Event]) -> tuple[Event, ...]:
    """Return the newest event; those that ended a turn belong together."""
    ended = tuple(takewhile(lambda event: isinstance(event, _END_OF_TURN_EVENTS), reversed(news)))
    return ended or tuple(news[-1:])


def newly_filled_spot(news: Sequence[Event]) -> Spot | None:
    """Return the item that was just filled."""
    match latest_events(news):
        case (CardPlaced(spot=spot),):
            return spot
        case (BaggageMoved(end=end),):
            return end
        case _:
            return None


def points_gained(news: Sequence[Event], seat: Seat) -> int:
    """Return the points that a seat has just made."""
    turns = [event for event in latest_events(news) if isinstance(event, TurnPlayed) and event.seat == seat]
    return sum(each.points for turn in turns for each in turn.completed)


def newly_taken_assignments(news: Sequence[Event]) -> frozenset[int]:
    """Return the numbers of the assignments that were just taken."""
    return frozenset(event.assignment.number for event in latest_events(news) if isinstance(event, AssignmentTaken))


def latest_kept_card(news: Sequence[Event]) -> CardKept | None:
    """Return what somebody has just kept after a twin."""
    match latest_events(news):
        case (CardKept() as kept,):
            return kept
        case _:
            return None
