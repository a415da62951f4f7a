"""What a position of Magpie says: which part of the game it is, who leads, and which dice scored."""

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from bot.games.magpie.pieces import GameEvent, Rolled, State
from bot.games.magpie.rules import combination_of
from bot.rules.game import Seat

BIG_ROLL = 14
"""The fewest points that are a moment."""

_LEAST_POINTS: Final = (1, 6, 14, 28)
"""What a roll of a seat alone must bring for a square of another colour than that of no points."""


def square_of(points: int) -> int:
    """Return the number, from 0 to 4, of the square that stands for the points of a roll. Rule MP-S1."""
    return bisect_right(_LEAST_POINTS, points)


def is_first_round(view: State, events: Sequence[GameEvent]) -> bool:
    """Return whether some seat has not rolled yet; the events are those of as many turns as there are seats."""
    return view.mover is not None and sum(isinstance(event, Rolled) for event in events) < len(view.scores)


def is_last_round(view: State) -> bool:
    """Return whether the turns that are left are the last ones. Rule MP-9."""
    return view.trigger is not None and view.mover is not None


def find_leaders(view: State) -> tuple[Seat, ...]:
    """Return the seats with the highest total, who win in the end. Rule MP-10."""
    best = max(view.scores)
    return tuple(seat for seat, score in enumerate(view.scores) if score == best)


def points_to_lead(view: State) -> int:
    """Return how many points the mover needs to overtake every other seat; 0 or less if it already leads alone."""
    mover = view.mover or 0
    return max(score for seat, score in enumerate(view.scores) if seat != mover) - view.scores[mover] + 1


def find_scoring_places(roll: Rolled) -> frozenset[int]:
    """Return the places of the dice that form the combination; none for a bonus without one. Rules MP-5 and MP-V3."""
    return combination_of(roll.faces)[1] if roll.combination else frozenset()
