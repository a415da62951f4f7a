"""Queries for profiles and duels."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Final

from sqlalchemy import Connection, bindparam, desc, func, select

from bot.features.profiles.model import NEWEST_SOLO_GAMES, Duel, Encounters, PersonRecord, SoloScores, Versus
from bot.features.results.ratings import CURVE_POINTS, PersonRating, Rating, RatingPoint, Strength
from bot.features.results.storage import (
    encounters,
    person_stats,
    rating_changes,
    rating_of,
    ratings,
    tables_among,
    tables_in,
)
from bot.tables.model import Company
from bot.tables.results import IS_SOLO, UNAIDED, result_of, results
from bot.tables.schema import HAS_PERSON

_FORM: Final = 10
"""The number of newest results without hints that show a person's form."""


_NEWEST: Final = (
    select(results)
    .where(HAS_PERSON, UNAIDED, results.c.user_id == bindparam("user_id"))
    .order_by(desc(results.c.finished_at), desc(results.c.table_id))
    .limit(_FORM)
)
FORM_ANYWHERE: Final = _NEWEST
FORM_IN_SERVER: Final = _NEWEST.where(results.c.guild_id == bindparam("guild_id"))

SELECT_RATINGS: Final = select(ratings).where(
    ratings.c.guild_id == bindparam("guild_id"),
    ratings.c.game.in_(bindparam("of_games", expanding=True)),
    ratings.c.user_id == bindparam("user_id"),
    ratings.c.games > 0,
)
# The index alone finds the wanted rows. Without the join, all of the person's rows would be read: tens of thousands.
# The join finds them by table: `+ 0` keeps PostgreSQL from walking the index of people for each.
_WANTED: Final = rating_changes.alias("wanted")
_PERSON: Final = rating_changes.c.user_id + 0
SELECT_CURVE: Final = (
    select(rating_changes.c.number, rating_changes.c.finished_at, rating_changes.c.mu, rating_changes.c.sigma)
    .join(_WANTED, (_WANTED.c.table_id == rating_changes.c.table_id) & (_WANTED.c.user_id == _PERSON))
    .where(
        _WANTED.c.user_id == bindparam("user_id"),
        _WANTED.c.guild_id == bindparam("guild_id"),
        _WANTED.c.game == bindparam("game"),
        (bindparam("newest") - _WANTED.c.number) % bindparam("step") == 0,
    )
    .order_by(rating_changes.c.number)
)
SELECT_SOLO_SCORES: Final = (
    select(results.c.score)
    .where(
        HAS_PERSON,
        IS_SOLO,
        results.c.user_id == bindparam("user_id"),
        results.c.guild_id == bindparam("guild_id"),
        results.c.game == bindparam("game"),
    )
    .order_by(desc(results.c.finished_at), desc(results.c.table_id))
    .limit(NEWEST_SOLO_GAMES)
)

_OF_TWO: Final = (
    encounters.c.guild_id == bindparam("guild_id"),
    encounters.c.user_id == bindparam("first_id"),
    encounters.c.other_id == bindparam("second_id"),
)
SELECT_ENCOUNTERS: Final = (
    select(encounters.c.game, encounters.c.outcome, func.count().label("tables"))
    .where(*_OF_TWO)
    .group_by(encounters.c.game, encounters.c.outcome)
)
SELECT_SHARED_TABLES: Final = tables_among(
    select(encounters.c.table_id)
    .join(results, (results.c.table_id == encounters.c.table_id) & (results.c.seat == 0))
    .where(*_OF_TWO, results.c.channel_id.in_(bindparam("channels", expanding=True)))
    .order_by(desc(encounters.c.finished_at), desc(encounters.c.table_id))
    .limit(bindparam("limit"))
)


def person_record(connection: Connection, user_id: int, guild_id: int | None) -> PersonRecord:
    """Return a person's record in one server or (None) everywhere."""
    stats, person = person_stats(connection, user_id, guild_id), {"user_id": user_id}
    if guild_id is None:
        return PersonRecord(stats, form=tuple(map(result_of, connection.execute(FORM_ANYWHERE, person))))
    person["guild_id"] = guild_id
    solo_games = [of_game.game for of_game in stats if of_game.company is Company.ALONE]
    found = {
        game: connection.execute(SELECT_SOLO_SCORES, {**person, "game": game}).scalars().all() for game in solo_games
    }
    return PersonRecord(
        stats,
        _find_ratings(connection, person, [of_game.game for of_game in stats if of_game.company is Company.PEOPLE]),
        tuple(SoloScores(game, sum(scores) / len(scores), len(scores)) for game, scores in found.items() if scores),
        tuple(map(result_of, connection.execute(FORM_IN_SERVER, person))),
    )


def _find_ratings(connection: Connection, person: Mapping[str, int], games: Sequence[str]) -> tuple[PersonRating, ...]:
    found = connection.execute(SELECT_RATINGS, {**person, "of_games": games}).all() if games else []
    ratings_by_game = []
    for row in sorted(found, key=lambda row: str(row.game)):
        step = ceil(row.games / CURVE_POINTS)
        of_game = {**person, "game": row.game, "newest": row.games, "step": step}
        curve = tuple(
            RatingPoint(point.number, point.finished_at, Rating(Strength(point.mu, point.sigma), point.number).shown)
            for point in connection.execute(SELECT_CURVE, of_game)
        )
        ratings_by_game.append(PersonRating(row.game, rating_of(row), curve))
    return tuple(ratings_by_game)


def versus(connection: Connection, duel: Duel, channels: frozenset[int], limit: int) -> Versus:
    """Return the results of two people against each other, with their newest shared tables in some channels."""
    first, second = sorted((duel.user_id, duel.other_id))
    pair = {"guild_id": duel.guild_id, "first_id": first, "second_id": second}
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for row in connection.execute(SELECT_ENCOUNTERS, pair):
        counts[row.game][row.outcome if first == duel.user_id else -row.outcome] = row.tables
    shown = pair | {"channels": sorted(channels), "limit": limit}
    latest = connection.execute(SELECT_SHARED_TABLES, shown) if counts else ()
    found = (Encounters(game, of_game[1], of_game[-1], of_game[0]) for game, of_game in sorted(counts.items()))
    return Versus(duel, tuple(found), tables_in(latest))
