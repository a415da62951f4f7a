"""The data of ratings."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from bot.rules.game import Seat
from bot.tables.model import TableId

PROVISIONAL_GAMES: Final = 10
"""A rating is provisional until so many games have counted."""

DAILY_GAMES_OF_PAIR: Final = 5
"""How many games a day count for the same two people, in a server and game."""

_BASE: Final = 1000
_PER_POINT: Final = 25


class NotRated(StrEnum):
    """Why a table does not change ratings."""

    NO_SERVER = "no_server"
    """It was played in direct messages."""
    NO_OPPONENT = "no_opponent"
    """Fewer than two people played."""
    COMPUTER = "computer"
    """A computer player had a seat."""
    HINTS = "hints"
    """Somebody used hints."""
    SUBSTITUTE = "substitute"
    """A computer player took an absent person's place, for a while or to the end."""
    EARLY_RESIGNATION = "early_resignation"
    """Somebody resigned before every seat had moved."""
    REPEATED_PAIR = "repeated_pair"
    """Two of the people had played enough games that count against each other that day."""


class Strength(NamedTuple):
    """What is known of a person's strength: a normal distribution."""

    mu: float = 25.0
    """The mean."""
    sigma: float = 25.0 / 3
    """The standard deviation."""


UNKNOWN: Final = Strength()


@dataclass(frozen=True, slots=True)
class Rating:
    """A person's rating at a game in a server."""

    strength: Strength = UNKNOWN
    games: int = 0
    """How many games have counted."""

    @property
    def shown(self) -> int:
        """The number that people see and are ranked by: a strength that they very probably have."""
        return round(_BASE + _PER_POINT * (self.strength.mu - 3 * self.strength.sigma))

    @property
    def is_provisional(self) -> bool:
        """Whether too few games have counted to say much."""
        return self.games < PROVISIONAL_GAMES


NEW: Final = Rating()
"""The rating of whoever has played no game that counts."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """What a table did to the rating of a person."""

    table_id: TableId
    seat: Seat
    user_id: int
    before: Rating
    after: Rating

    @property
    def points(self) -> int:
        """The change of the shown number."""
        return self.after.shown - self.before.shown


class RatingPoint(NamedTuple):
    """A point of a person's rating curve."""

    number: int
    """Which of their rated games it was, from 1."""
    at: datetime
    shown: int


@dataclass(frozen=True, slots=True)
class PersonRating:
    """A person's rating at a game, and how it came about."""

    game: str
    rating: Rating
    curve: tuple[RatingPoint, ...]
    """At most `CURVE_POINTS` points, oldest first; the last one is the present rating."""


CURVE_POINTS: Final = 60
