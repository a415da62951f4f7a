"""Queries for profiles, and for the history between two people."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from math import ceil
from typing import Any, Final

from sqlalchemy import Connection, Row, bindparam, desc, func, select

from bot.features.boards.model import PlayerStats
from bot.features.profiles.model import NEWEST_SOLO_GAMES, Duel, Encounters, GameStats, PersonRecord, SoloScores, Versus
from bot.features.results.accounts.ratings import rating_of
from bot.features.results.periods import WITH_HINTS
from bot.features.results.ratings import CURVE_POINTS, PersonRating, Rating, RatingPoint, Strength
from bot.features.results.schema import (
    IS_LIFETIME,
    IS_PERSON,
    IS_SOLO,
    UNAIDED,
    boards,
    encounters,
    rating_changes,
    ratings,
    results,
    totals,
)
from bot.features.results.storage import tables_among, tables_in
from bot.platform.database.sql import AnyRow
from bot.tables.model import Company, Result
from bot.tables.results import result_of

_FORM: Final = 10
"""How many of a person's newest results without hints show their form."""

TOTALS_ANYWHERE: Final = (
    select(totals, boards.c.game, boards.c.company, boards.c.period)
    .join(boards, boards.c.id == totals.c.board_id)
    .where(IS_LIFETIME, totals.c.user_id == bindparam("user_id"))
)
TOTALS_IN_SERVER: Final = TOTALS_ANYWHERE.where(boards.c.guild_id == bindparam("guild_id"))

_NEWEST: Final = (
    select(results)
    .where(IS_PERSON, UNAIDED, results.c.user_id == bindparam("user_id"))
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
# The index alone tells which rows are wanted. Without the join, all the rows of the person are read: tens of thousands.
# They are found by their tables: the person is an expression, as PostgreSQL would walk the index of people for each.
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
        IS_PERSON,
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
    """Return what a person has done in one server or (None) everywhere."""
    person = {"user_id": user_id}
    if guild_id is None:
        stats = _add_up(connection.execute(TOTALS_ANYWHERE, person).all())
        return PersonRecord(stats, form=_results_in(connection.execute(FORM_ANYWHERE, person).all()))
    person["guild_id"] = guild_id
    stats = _add_up(connection.execute(TOTALS_IN_SERVER, person).all())
    return PersonRecord(
        stats,
        _find_ratings(connection, person, [each.game for each in stats if each.company is Company.PEOPLE]),
        _find_solo_scores(connection, person, [each.game for each in stats if each.company is Company.ALONE]),
        _results_in(connection.execute(FORM_IN_SERVER, person).all()),
    )


def versus(connection: Connection, duel: Duel, channels: frozenset[int], limit: int) -> Versus:
    """Return how two people did against each other, with the newest tables that they shared in some channels."""
    first, second = sorted((duel.user_id, duel.other_id))
    pair = {"guild_id": duel.guild_id, "first_id": first, "second_id": second}
    counts: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for row in connection.execute(SELECT_ENCOUNTERS, pair):
        counts[row.game][row.outcome if first == duel.user_id else -row.outcome] = row.tables
    shown = pair | {"channels": sorted(channels), "limit": limit}
    latest = connection.execute(SELECT_SHARED_TABLES, shown) if counts else ()
    found = (Encounters(game, of_game[1], of_game[-1], of_game[0]) for game, of_game in sorted(counts.items()))
    return Versus(duel, tuple(found), tables_in(latest))


def _add_up(found: Sequence[Row[Any]]) -> tuple[GameStats, ...]:
    """Add up totals by game and company: those of several servers; games with hints are only counted."""
    groups: defaultdict[tuple[str, str], list[Row[Any]]] = defaultdict(list)
    for row in found:
        groups[row.game, row.company].append(row)
    return tuple(_stats_of(game, company, groups[game, company]) for game, company in sorted(groups))


def _stats_of(game: str, company: str, found: Sequence[Row[Any]]) -> GameStats:
    unaided = [row for row in found if row.period != WITH_HINTS]
    stats = PlayerStats(
        games=sum(row.games for row in unaided),
        wins=sum(row.wins for row in unaided),
        shared_wins=sum(row.shared_wins for row in unaided),
        points=sum(row.points for row in unaided),
        highest=max((row.highest for row in unaided if row.highest is not None), default=None),
        lowest=min((row.lowest for row in unaided if row.lowest is not None), default=None),
    )
    return GameStats(
        game,
        Company(company),
        stats,
        streak=max((row.streak for row in unaided), default=0),
        longest_streak=max((row.longest_streak for row in unaided), default=0),
        with_hints=sum(row.games for row in found) - stats.games,
    )


def _find_ratings(connection: Connection, person: Mapping[str, int], games: Sequence[str]) -> tuple[PersonRating, ...]:
    found = connection.execute(SELECT_RATINGS, {**person, "of_games": games}).all() if games else []
    return tuple(
        PersonRating(row.game, rating_of(row), _find_curve(connection, person, row.game, row.games))
        for row in sorted(found, key=lambda row: str(row.game))
    )


def _find_curve(connection: Connection, person: Mapping[str, int], game: str, games: int) -> tuple[RatingPoint, ...]:
    step = ceil(games / CURVE_POINTS)
    found = connection.execute(SELECT_CURVE, {**person, "game": game, "newest": games, "step": step})
    return tuple(
        RatingPoint(row.number, row.finished_at, Rating(Strength(row.mu, row.sigma), row.number).shown) for row in found
    )


def _find_solo_scores(
    connection: Connection, person: Mapping[str, int], games: Sequence[str]
) -> tuple[SoloScores, ...]:
    scores = {game: connection.execute(SELECT_SOLO_SCORES, {**person, "game": game}).scalars().all() for game in games}
    return tuple(SoloScores(game, sum(each) / len(each), len(each)) for game, each in scores.items() if each)


def _results_in(found: Sequence[AnyRow]) -> tuple[Result, ...]:
    return tuple(map(result_of, found))
