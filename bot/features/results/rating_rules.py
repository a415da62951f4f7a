"""Which tables count for ratings, and how: Plackett-Luce (openskill), ties as draws."""

from collections.abc import Mapping, Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Final, TypeAlias

from bot.features.results.rating_model import DAILY_GAMES_OF_PAIR, NEW, NotRated, Rating, RatingChange, Strength
from bot.tables.model import Status
from bot.tables.seat_result import Result
from bot.tables.table import Table

if TYPE_CHECKING:
    from openskill.models import PlackettLuce

Pair: TypeAlias = tuple[int, int]
"""Two people, the smaller id first."""

_FEWEST_PEOPLE: Final = 2


def rate(
    results: Sequence[Result], ratings: Mapping[int, Rating], games_of_pairs: Mapping[Pair, int]
) -> tuple[RatingChange, ...] | NotRated:
    """Return what a table changes, or why it changes nothing.

    Args:
        results: The results of all seats.
        ratings: The ratings of the people before it; those without one are new.
        games_of_pairs: How many games of that day have counted for each two of the people.
    """
    if reason := find_reason(results):
        return reason
    if any(games_of_pairs.get(pair, 0) >= DAILY_GAMES_OF_PAIR for pair in pairs_of(results)):
        return NotRated.REPEATED_PAIR
    seats = [(result, user_id) for result in results if (user_id := result.user_id) is not None]
    before = [ratings.get(user_id, NEW) for _, user_id in seats]
    after = _update([each.strength for each in before], [result.place for result, _ in seats])
    return tuple(
        RatingChange(result.table_id, result.seat, user_id, old, Rating(strength, old.games + 1))
        for (result, user_id), old, strength in zip(seats, before, after, strict=True)
    )


def find_reason(results: Sequence[Result]) -> NotRated | None:
    """Return why a table does not count, as far as its own results tell."""
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


def can_count(table: Table) -> bool:
    """Return whether a table may count as far as its place and seats tell; a lobby may still get other seats."""
    header = table.header
    if header.location.guild_id is None or table.package.game.info.is_solo or table.is_lesson:
        return False
    are_people = len(table.seats) >= _FEWEST_PEOPLE and not any(who.is_computer for who in table.seats)
    return are_people or header.status is Status.LOBBY


def people_of(results: Sequence[Result]) -> list[int]:
    """Return the people of a table, sorted."""
    return sorted({result.user_id for result in results if result.user_id is not None})


def pairs_of(results: Sequence[Result]) -> list[Pair]:
    """Return every two people of a table."""
    return list(combinations(people_of(results), 2))


def _update(strengths: Sequence[Strength], places: Sequence[int]) -> list[Strength]:
    model = _model()
    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in strengths]
    return [Strength(team[0].mu, team[0].sigma) for team in model.rate(teams, ranks=[float(place) for place in places])]


@cache
def _model() -> "PlackettLuce":
    # Loading it takes 60 ms, and many processes end no table between people.
    from openskill.models import PlackettLuce  # noqa: PLC0415

    return PlackettLuce()
