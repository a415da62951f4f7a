"""The known events of the newest turn."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeGuard

from bot.games.change.board import Card
from bot.games.change.events import CardPlayed, CardsSeen, Challenged, Landed, Received, Released, TrackRolled
from bot.rules.game import Event, Seat


def latest_turn(news: Sequence[Event]) -> Sequence[Event]:
    """Return the events since the newest turn began."""
    first = next((at for at in range(len(news) - 1, -1, -1) if _begins_turn(news, at)), 0)
    return news[first:]


def _begins_turn(news: Sequence[Event], at: int) -> bool:
    """Return whether an event begins a turn: a track roll, except the second one of Emotional. Rule CH-S3."""
    event, before = news[at], news[at - 1] if at else None
    goes_on = isinstance(before, TrackRolled) and isinstance(event, TrackRolled) and before.seat == event.seat
    return isinstance(event, TrackRolled) and not goes_on


def latest_space_roll(turn: Sequence[Event]) -> Challenged | Released | Received | None:
    """Return the newest challenge or roll for credits, or None."""
    return next((event for event in reversed(turn) if _has_dice(event)), None)


def _has_dice(event: Event) -> TypeGuard[Challenged | Released | Received]:
    return isinstance(event, Challenged) or (isinstance(event, Released | Received) and bool(event.dice))


def latest_drawn_cards(news: Sequence[Event], seat: Seat | None) -> tuple[Card, ...]:
    """Return the cards that a seat drew last; empty if it drew none."""
    drawn = [event.cards for event in news if isinstance(event, CardsSeen) and event.seat == seat]
    return drawn[-1] if drawn else ()


def played_cards(turn: Sequence[Event]) -> tuple[CardPlayed, ...]:
    """Return the cards played, oldest first."""
    return tuple(event for event in turn if isinstance(event, CardPlayed))


def changes_of(turn: Sequence[Event], seats: int) -> tuple[int, ...]:
    """Return the change of each seat's credits."""
    changes = [0] * seats
    for event in turn:
        for seat, change in _changes(event):
            changes[seat] += change
    return tuple(changes)


def change_of(seat: Seat, turn: Iterable[Event]) -> int:
    """Return the change of a seat's credits."""
    return sum(change for event in turn for each, change in _changes(event) if each == seat)


def _changes(event: Event) -> Iterator[tuple[Seat, int]]:
    match event:
        case Landed():
            yield from enumerate(event.changes)
        case Released():
            yield event.seat, -event.count
        case Received():
            yield event.seat, sum(event.dice)
        case _:
            pass
