"""The known events of the newest turn."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

from bot.games.change.board import Card, Space
from bot.games.change.events import (
    CardPlayed,
    CardsSeen,
    Challenged,
    GameEvent,
    Landed,
    Received,
    Released,
    TrackRolled,
)
from bot.rules.game import Seat


def latest_turn(events: Sequence[GameEvent]) -> Sequence[GameEvent]:
    """Return the events since the newest turn began."""
    first = next((at for at in range(len(events) - 1, -1, -1) if _begins_turn(events, at)), 0)
    return events[first:]


def _begins_turn(events: Sequence[GameEvent], at: int) -> bool:
    """Return whether an event begins a turn: a track roll, except the second one of Emotional. Rule CH-S3."""
    event, before = events[at], events[at - 1] if at else None
    goes_on = isinstance(before, TrackRolled) and isinstance(event, TrackRolled) and before.seat == event.seat
    return isinstance(event, TrackRolled) and not goes_on


def latest_space_roll(turn: Sequence[GameEvent]) -> Challenged | Released | Received | None:
    """Return the newest challenge or roll for credits, or None."""
    return next((event for event in reversed(turn) if _has_dice(event)), None)


def _has_dice(event: GameEvent) -> TypeGuard[Challenged | Released | Received]:
    return isinstance(event, Challenged) or (isinstance(event, Released | Received) and bool(event.dice))


def latest_drawn_cards(events: Sequence[GameEvent], seat: Seat | None) -> tuple[Card, ...]:
    """Return the cards that a seat drew last; empty if it drew none."""
    drawn = [event.cards for event in events if isinstance(event, CardsSeen) and event.seat == seat]
    return drawn[-1] if drawn else ()


def played_cards(turn: Sequence[GameEvent]) -> tuple[CardPlayed, ...]:
    """Return the cards played, oldest first."""
    return tuple(event for event in turn if isinstance(event, CardPlayed))


def changes_of(turn: Sequence[GameEvent], seats: int) -> tuple[int, ...]:
    """Return the change of each seat's credits."""
    return tuple(changes_by_space(seat, turn).total() for seat in range(seats))


def changes_by_space(seat: Seat, turn: Iterable[GameEvent]) -> Counter[Space]:
    """Return the changes of a seat's credits by the spaces that caused them, in order."""
    changes: Counter[Space] = Counter()
    for event in turn:
        for each, space, change in _changes(event):
            if each == seat and change:
                changes[space] += change
    return changes


def _changes(event: GameEvent) -> Iterator[tuple[Seat, Space, int]]:
    match event:
        case Landed():
            yield from ((seat, event.space, change) for seat, change in enumerate(event.changes))
        case Released():
            yield event.seat, event.space, -event.count
        case Received():
            yield event.seat, event.space, sum(event.dice)
        case _:
            pass
