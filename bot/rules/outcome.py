"""The outcome of a game: places, scores and the reason for the end."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeVar

ScoreT = TypeVar("ScoreT", int, tuple[int, ...])


class EndReason(StrEnum):
    """Base of the enums of reasons why a game ended."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The ranking of a game that is over."""

    places: tuple[int, ...]
    """The place of each seat; 1 is best, and ties are equal."""
    scores: tuple[int, ...]
    """The points of each seat."""
    reason: EndReason

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats in first place."""
        return tuple(seat for seat, place in enumerate(self.places) if place == 1)


def places_by_score(scores: Sequence[ScoreT]) -> tuple[int, ...]:
    """Rank seats by score, highest first; equal scores share a place, and the next place is skipped.

    Args:
        scores: A number for each seat, or a tuple whose later numbers break ties.
    """
    return tuple(1 + sum(other > score for other in scores) for score in scores)


def places_by_elimination(eliminated: Sequence[Collection[int]], seats: int) -> tuple[int, ...]:
    """Rank seats by when they were eliminated, latest first; those eliminated together share a place.

    Args:
        eliminated: Groups of seats that were eliminated together, earliest first.
        seats: The number of seats.
    """
    moments = {seat: moment for moment, gone in enumerate(eliminated) for seat in gone}
    return places_by_score([moments.get(seat, len(eliminated)) for seat in range(seats)])
