"""The latest of a table of Fortune: what was rolled and kept, how the last turn ended, and what it changed."""

from collections.abc import Sequence

from bot.games.fortune.events import Rolled, TurnEnded
from bot.games.fortune.pieces import Places, Turn
from bot.rules.game import Event, Seat


def latest_roll(turn: Turn, news: Sequence[Event]) -> Rolled | None:
    """Return the roll that led to the dice as they lie, if it is known."""
    newest = next((event for event in reversed(news) if isinstance(event, Rolled)), None)
    return newest if newest and newest.faces == turn.faces else None


def kept_dice(turn: Turn, news: Sequence[Event]) -> Places:
    """Return the dice without a skull that were not rolled at the last roll."""
    newest = latest_roll(turn, news)
    return tuple(place for place in turn.free if place not in newest.dice) if newest else ()


def last_turn(news: Sequence[Event]) -> TurnEnded | None:
    """Return how the last turn ended, if it is known."""
    return next((event for event in reversed(news) if isinstance(event, TurnEnded)), None)


def score_change_of(seat: Seat, news: Sequence[Event]) -> int:
    """Return what the turns of the last round changed the total of a seat by. Rule FO-9."""
    turns = [event for event in news if isinstance(event, TurnEnded)]
    return sum(turn.points if turn.seat == seat else -turn.toll for turn in turns)
