"""Finds the last roll, the kept dice and the latest score changes among recent events."""

from collections.abc import Sequence

from bot.games.fortune.events import GameEvent, Rolled, TurnEnded
from bot.games.fortune.pieces import Places, Turn
from bot.rules.game import Seat, find_newest


def latest_roll(turn: Turn, events: Sequence[GameEvent]) -> Rolled | None:
    """Return the roll that produced the present dice, or None if it is unknown."""
    newest = find_newest(Rolled, events)
    return newest if newest and newest.faces == turn.faces else None


def kept_dice(turn: Turn, events: Sequence[GameEvent]) -> Places:
    """Return the free dice that the last roll kept."""
    newest = latest_roll(turn, events)
    return tuple(place for place in turn.free if place not in newest.dice) if newest else ()


def last_round(events: Sequence[GameEvent], seats: int) -> Sequence[GameEvent]:
    """Return the newest turns that have ended, one for each seat."""
    return [event for event in events if isinstance(event, TurnEnded)][-seats:]


def score_change_of(seat: Seat, events: Sequence[GameEvent]) -> int:
    """Return the change of a seat's total in turns that have ended. Rule FO-9."""
    turns = [event for event in events if isinstance(event, TurnEnded)]
    return sum(turn.points if turn.seat == seat else -turn.toll for turn in turns)
