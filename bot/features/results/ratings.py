"""The rating system: people's strengths, the tables that are rated, and the changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

from bot.rules.game import Seat
from bot.tables.model import Result, TableId

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

PROVISIONAL_GAMES: Final = 10
"""A rating is provisional until this many games have been rated."""

DAILY_GAMES_OF_PAIR: Final = 5
"""The most rated games a day between the same two people, in a server and game."""

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
    """Two of the people had reached the day's limit of rated games against each other."""


class Strength(NamedTuple):
    """The estimate of a person's strength: a normal distribution."""

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
    """The number of rated games."""

    @property
    def shown(self) -> int:
        """The number shown to people and used to rank them: a strength that the person very probably has."""
        return round(_BASE + _PER_POINT * (self.strength.mu - 3 * self.strength.sigma))

    @property
    def is_provisional(self) -> bool:
        """Whether the rating rests on too few games to be reliable."""
        return self.games < PROVISIONAL_GAMES


NEW: Final = Rating()
"""The rating of a person without rated games."""


@dataclass(frozen=True, slots=True)
class RatingChange:
    """How a table changed a person's rating."""

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
    """The number of the person's rated game, from 1."""
    at: datetime
    shown: int


@dataclass(frozen=True, slots=True)
class PersonRating:
    """A person's rating at a game, with its history."""

    game: str
    rating: Rating
    curve: tuple[RatingPoint, ...]
    """At most `CURVE_POINTS` points, oldest first; the last one is the present rating."""


CURVE_POINTS: Final = 60


Pair: TypeAlias = tuple[int, int]
"""The ids of two people, the smaller one first."""

_FEWEST_PEOPLE: Final = 2


def rate(
    results: Sequence[Result], ratings: Mapping[int, Rating], games_of_pairs: Mapping[Pair, int]
) -> tuple[RatingChange, ...] | NotRated:
    """Return how a table changes ratings, or why it does not.

    Args:
        results: The results of all seats.
        ratings: The people's ratings before the table; people without one are new.
        games_of_pairs: The number of games rated that day for every two of the people.
    """
    if reason := find_reason(results):
        return reason
    if any(games_of_pairs.get(pair, 0) >= DAILY_GAMES_OF_PAIR for pair in pairs_of(results)):
        return NotRated.REPEATED_PAIR
    seats = [(result, user_id) for result in results if (user_id := result.user_id) is not None]
    before = [ratings.get(user_id, NEW) for _, user_id in seats]
    model = _model()
    teams = [[model.rating(mu=rating.strength.mu, sigma=rating.strength.sigma)] for rating in before]
    after = model.rate(teams, ranks=[float(result.place) for result, _ in seats])
    return tuple(
        RatingChange(
            result.table_id, result.seat, user_id, old, Rating(Strength(team[0].mu, team[0].sigma), old.games + 1)
        )
        for (result, user_id), old, team in zip(seats, before, after, strict=True)
    )


def find_reason(results: Sequence[Result]) -> NotRated | None:
    """Return why a table is not rated, as far as its own results tell."""
    if results[0].guild_id is None:
        return NotRated.NO_SERVER
    if len(people_of(results)) < _FEWEST_PEOPLE:
        return NotRated.NO_OPPONENT
    if any(result.user_id is None for result in results):
        return NotRated.COMPUTER
    if not all(result.is_unaided for result in results):
        return NotRated.HINTS
    if any(result.had_substitute for result in results):
        return NotRated.SUBSTITUTE
    return NotRated.EARLY_RESIGNATION if any(result.resigned_early for result in results) else None


def people_of(results: Sequence[Result]) -> list[int]:
    """Return the ids of a table's people, sorted."""
    return sorted({result.user_id for result in results if result.user_id is not None})


def pairs_of(results: Sequence[Result]) -> list[Pair]:
    """Return every two people of a table."""
    return list(combinations(people_of(results), 2))


@cache
def _model() -> "PlackettLuce":
    # Importing it takes 60 ms, and many processes end no table between people.
    from openskill.models import PlackettLuce  # noqa: PLC0415

    return PlackettLuce()
