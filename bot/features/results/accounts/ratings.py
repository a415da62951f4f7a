"""Rates a finished table in the transaction that ends it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, bindparam, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from bot.features.results.accounts.totals import add_day, add_encounters, add_totals, additions_of
from bot.features.results.ratings import NotRated, Pair, Rating, RatingChange, Strength, find_reason, people_of, rate
from bot.features.results.schema import rating_changes, ratings, results
from bot.platform.database.sql import AnyRow, UtcDateTime, Values
from bot.platform.places import day_of, start_of_day
from bot.tables.events import TableEvent
from bot.tables.model import Result, TableId
from bot.tables.results import result_values, results_of
from bot.tables.storage import Conflict
from bot.tables.table import Table

_TICK: Final = timedelta(microseconds=1)

_ADD_NEW: Final = text("""
    INSERT INTO ratings (guild_id, game, user_id, mu, sigma, games) VALUES (:guild_id, :game, :user_id, :mu, :sigma, 0)
    ON CONFLICT DO NOTHING
""")
_OF_PEOPLE: Final = (
    ratings.c.guild_id == bindparam("of_guild"),
    ratings.c.game == bindparam("of_game"),
    ratings.c.user_id.in_(bindparam("people", expanding=True)),
)
# Locked in order, so that two processes that end tables of the same people wait and don't deadlock.
_SELECT_RATINGS: Final = select(ratings).where(*_OF_PEOPLE).order_by(ratings.c.user_id).with_for_update()
_UPDATE: Final = (
    update(ratings)
    .where(
        ratings.c.guild_id == bindparam("of_guild"),
        ratings.c.game == bindparam("of_game"),
        ratings.c.user_id == bindparam("of_person"),
    )
    .values({name: bindparam(f"new_{name}") for name in ("mu", "sigma", "games", "counted_at")})
)
_INSERT_RESULTS: Final = insert(results)
INSERT_CHANGES: Final = insert(rating_changes)
_NOTE_COUNTED: Final = (
    update(results).where(results.c.table_id == bindparam("of_table")).values(counted_at=bindparam("moment"))
)

_other = rating_changes.alias("other")
COUNT_PAIRS: Final = (
    select(rating_changes.c.user_id, _other.c.user_id.label("other_id"), func.count().label("games"))
    .join(_other, _other.c.table_id == rating_changes.c.table_id)
    .where(
        rating_changes.c.guild_id == bindparam("of_guild"),
        rating_changes.c.game == bindparam("of_game"),
        rating_changes.c.user_id.in_(bindparam("people", expanding=True)),
        rating_changes.c.finished_at >= bindparam("day", type_=UtcDateTime),
        rating_changes.c.finished_at < bindparam("next_day", type_=UtcDateTime),
        _other.c.user_id > rating_changes.c.user_id,
    )
    .group_by(rating_changes.c.user_id, _other.c.user_id)
)


def rate_table(connection: Connection, table: Sequence[Result]) -> Sequence[RatingChange]:
    """Rate a table whose results are stored; return what it changes, nothing if it does not count."""
    if find_reason(table) is not None:
        return ()
    first, people = table[0], people_of(table)
    contest = {"of_guild": first.guild_id, "of_game": first.game, "people": people}
    rows = _lock_ratings(connection, contest)
    before = {row.user_id: rating_of(row) for row in rows}
    changes = rate(table, before, _count_pairs(connection, contest, first.finished_at))
    rated = () if isinstance(changes, NotRated) else changes
    after = before | {change.user_id: change.after for change in rated}
    counted_at = _count_in_order(connection, first, rows)
    connection.execute(_UPDATE, [_update_values(first, person, after[person], counted_at) for person in people])
    if rated:
        connection.execute(INSERT_CHANGES, [change_values(first, change) for change in rated])
    return rated


def find_changes(connection: Connection, table_id: TableId) -> Sequence[RatingChange]:
    """Return what a table did to the ratings of its people, by seat; empty if it does not count."""
    found = select(rating_changes).where(rating_changes.c.table_id == table_id).order_by(rating_changes.c.seat)
    return [
        RatingChange(
            row.table_id,
            row.seat,
            row.user_id,
            Rating(Strength(row.mu_before, row.sigma_before), row.number - 1),
            Rating(Strength(row.mu, row.sigma), row.number),
        )
        for row in connection.execute(found)
    ]


def rating_of(row: AnyRow) -> Rating:
    """Return the rating in a row."""
    return Rating(Strength(row.mu, row.sigma), row.games)


def change_values(first: Result, change: RatingChange) -> Values:
    """Return the row of a change, at a table with a first result."""
    return {
        "table_id": change.table_id,
        "seat": change.seat,
        "guild_id": first.guild_id,
        "game": first.game,
        "user_id": change.user_id,
        "number": change.after.games,
        "mu_before": change.before.strength.mu,
        "sigma_before": change.before.strength.sigma,
        "mu": change.after.strength.mu,
        "sigma": change.after.strength.sigma,
        "finished_at": first.finished_at,
    }


def _count_in_order(connection: Connection, first: Result, people: Sequence[AnyRow]) -> datetime:
    """Return a time after the people's tables counted before; a rebuild must count them in the same order."""
    earlier: datetime | None = max((row.counted_at for row in people if row.counted_at is not None), default=None)
    if earlier is None or earlier < first.finished_at:
        return first.finished_at
    connection.execute(_NOTE_COUNTED, {"of_table": first.table_id, "moment": earlier + _TICK})
    return earlier + _TICK


def _lock_ratings(connection: Connection, contest: Values) -> Sequence[AnyRow]:
    """Return the people's ratings, which no other process changes until the transaction ends."""
    # Inserting while holding locks of others could be waited for in a circle.
    new = {"guild_id": contest["of_guild"], "game": contest["of_game"], **Strength()._asdict()}
    connection.execute(_ADD_NEW, [new | {"user_id": user_id} for user_id in contest["people"]])
    return connection.execute(_SELECT_RATINGS, contest).all()


def _count_pairs(connection: Connection, contest: Values, moment: datetime) -> Mapping[Pair, int]:
    day = day_of(moment)
    found = connection.execute(COUNT_PAIRS, contest | {"day": start_of_day(day), "next_day": start_of_day(day + 1)})
    return Counter({(row.user_id, row.other_id): row.games for row in found})


def _update_values(first: Result, user_id: int, rating: Rating, counted_at: datetime) -> Values:
    mu, sigma = rating.strength
    key = {"of_guild": first.guild_id, "of_game": first.game, "of_person": user_id}
    return key | {"new_mu": mu, "new_sigma": sigma, "new_games": rating.games, "new_counted_at": counted_at}


def save_results(connection: Connection, event: TableEvent) -> Table:
    """Store the results of a table, if they count, in the transaction that ends it."""
    if found := results_of(event.after):
        add_results(connection, found)
    return event.after


def add_results(connection: Connection, added: Sequence[Result]) -> None:
    """Store the results of a table, with all that is kept of results.

    Raises:
        Conflict: The table has results.
    """
    try:
        connection.execute(_INSERT_RESULTS, [result_values(result) for result in added])
    except IntegrityError as error:
        raise Conflict(added[0].table_id) from error
    account_for(connection, added)


def account_for(connection: Connection, results: Sequence[Result]) -> None:
    """Add a table whose results are stored to all that is kept of results."""
    changes = rate_table(connection, results)
    add_totals(connection, list(additions_of(results, changes)))
    add_encounters(connection, results)
    add_day(connection, results[0])
