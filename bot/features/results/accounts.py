"""Adds a finished table to ratings, totals, encounters and days, in the transaction that ends it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import combinations
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, func, insert, select, text, update
from sqlalchemy.exc import IntegrityError

from bot.features.results.model import ALL_TIME, LIFETIME, WITH_HINTS, periods_at
from bot.features.results.ratings import NotRated, RatingChange, Strength, find_reason, people_of, rate
from bot.features.results.storage import boards, encounters, rating_changes, rating_of, ratings
from bot.platform.database.sql import AnyRow, UtcDateTime, Values
from bot.platform.places import day_of, start_of_day
from bot.tables.control_entries import TableEndReason
from bot.tables.events import TableEvent
from bot.tables.model import Company, Result
from bot.tables.results import result_values, results, results_of
from bot.tables.storage import Conflict
from bot.tables.table import Table

_TICK: Final = timedelta(microseconds=1)

_INSERT_RESULTS: Final = insert(results)

_ADD_ENCOUNTERS: Final = insert(encounters)

_ADD_DAY: Final = text("""
    INSERT INTO played_days (guild_id, channel_id, day, tables) VALUES (:guild_id, :channel_id, :day, 1)
    ON CONFLICT (guild_id, channel_id, day) DO UPDATE SET tables = played_days.tables + 1
""")

_ADD_NEW: Final = text("""
    INSERT INTO ratings (guild_id, game, user_id, mu, sigma, games) VALUES (:guild_id, :game, :user_id, :mu, :sigma, 0)
    ON CONFLICT DO NOTHING
""")

_OF_PEOPLE: Final = (
    ratings.c.guild_id == bindparam("of_guild"),
    ratings.c.game == bindparam("of_game"),
    ratings.c.user_id.in_(bindparam("people", expanding=True)),
)

# Locked in a fixed order, so that two processes that end tables of the same people wait instead of deadlocking.
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


_SELECT_BOARDS: Final = select(boards.c.id, boards.c.period).where(
    boards.c.guild_id == bindparam("guild_id"),
    boards.c.game == bindparam("game"),
    boards.c.company == bindparam("company"),
    boards.c.period.in_(bindparam("periods", expanding=True)),
)

_ADD_BOARD: Final = text("""
    INSERT INTO boards (guild_id, game, company, period) VALUES (:guild_id, :game, :company, :period)
    ON CONFLICT DO NOTHING
""")


# Valid SQL for both databases; several processes may add to the same row at once.
_ADD: Final = text("""
    INSERT INTO totals (board_id, user_id, games, wins, shared_wins, points, highest, lowest, streak, longest_streak,
                        rating, rated_games, share, average, is_lifetime)
    VALUES (:board_id, :user_id, :games, :wins, :shared_wins, :points, :highest, :lowest, :streak, :longest_streak,
            :rating, :rated_games, :share, :average, :is_lifetime)
    ON CONFLICT (board_id, user_id) DO UPDATE SET
        games = totals.games + 1,
        wins = totals.wins + excluded.wins,
        shared_wins = totals.shared_wins + excluded.shared_wins,
        points = totals.points + excluded.points,
        highest = CASE WHEN totals.highest >= excluded.highest OR excluded.highest IS NULL THEN totals.highest
                       ELSE excluded.highest END,
        lowest = CASE WHEN totals.lowest <= excluded.lowest OR excluded.lowest IS NULL THEN totals.lowest
                      ELSE excluded.lowest END,
        streak = (totals.streak + 1) * excluded.wins,
        longest_streak = CASE WHEN (totals.streak + 1) * excluded.wins > totals.longest_streak
                              THEN totals.streak + 1 ELSE totals.longest_streak END,
        rating = COALESCE(excluded.rating, totals.rating),
        rated_games = totals.rated_games + excluded.rated_games,
        share = CAST(totals.wins + excluded.wins AS DOUBLE PRECISION) / (totals.games + 1),
        average = CAST(totals.points + excluded.points AS DOUBLE PRECISION) / (totals.games + 1)
""")


class BoardName(NamedTuple):
    """The key of a row of `boards`."""

    guild_id: int
    game: str
    company: Company
    period: str


class Addition(NamedTuple):
    """The values that a result adds to a person's totals on a board."""

    board: BoardName
    user_id: int
    values: Values


def save_results(connection: Connection, event: TableEvent) -> Table:
    """Store a table's results, if they count, in the transaction that ends the table."""
    if found := results_of(event.after):
        add_results(connection, found)
    return event.after


def add_results(connection: Connection, added: Sequence[Result]) -> None:
    """Store a table's results, and add them to everything made of results.

    Raises:
        Conflict: The table already has results.
    """
    first = added[0]
    try:
        connection.execute(_INSERT_RESULTS, [result_values(result) for result in added])
    except IntegrityError as error:
        raise Conflict(first.table_id) from error
    changes = _rate_table(connection, added)
    _add_totals(connection, list(additions_of(added, changes)))
    if encountered := list(encounters_of(added)):
        connection.execute(_ADD_ENCOUNTERS, encountered)
    if first.guild_id is not None:
        day = {"guild_id": first.guild_id, "channel_id": first.channel_id, "day": day_of(first.finished_at)}
        connection.execute(_ADD_DAY, day)


def _rate_table(connection: Connection, table: Sequence[Result]) -> Sequence[RatingChange]:
    """Rate a table with stored results; return the changes, none if the table is not rated."""
    if find_reason(table) is not None:
        return ()
    first, people = table[0], people_of(table)
    contest = {"of_guild": first.guild_id, "of_game": first.game, "people": people}
    # Insert new rows first: an insert that waits while holding locks could close a circle of waiting processes.
    new = {"guild_id": first.guild_id, "game": first.game, **Strength()._asdict()}
    connection.execute(_ADD_NEW, [new | {"user_id": user_id} for user_id in people])
    rows = connection.execute(_SELECT_RATINGS, contest).all()
    before = {row.user_id: rating_of(row) for row in rows}
    day = day_of(first.finished_at)
    games = connection.execute(COUNT_PAIRS, contest | {"day": start_of_day(day), "next_day": start_of_day(day + 1)})
    changes = rate(table, before, {(row.user_id, row.other_id): row.games for row in games})
    rated = () if isinstance(changes, NotRated) else changes
    after = before | {change.user_id: change.after for change in rated}
    counted_at = _count_in_order(connection, first, rows)
    updates: list[Values] = []
    for person in people:
        (mu, sigma), games_counted = after[person].strength, after[person].games
        key = {"of_guild": first.guild_id, "of_game": first.game, "of_person": person}
        new = {"new_mu": mu, "new_sigma": sigma, "new_games": games_counted, "new_counted_at": counted_at}
        updates.append(key | new)
    connection.execute(_UPDATE, updates)
    if rated:
        connection.execute(INSERT_CHANGES, [change_values(first, change) for change in rated])
    return rated


def _count_in_order(connection: Connection, first: Result, people: Sequence[AnyRow]) -> datetime:
    """Return a time after all rated tables of these people; a rebuild must rate the tables in the same order."""
    earlier: datetime | None = max((row.counted_at for row in people if row.counted_at is not None), default=None)
    if earlier is None or earlier < first.finished_at:
        return first.finished_at
    connection.execute(_NOTE_COUNTED, {"of_table": first.table_id, "moment": earlier + _TICK})
    return earlier + _TICK


def change_values(first: Result, change: RatingChange) -> Values:
    """Return the row for a change; `first` is the first result of its table."""
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


def additions_of(results: Sequence[Result], changes: Sequence[RatingChange]) -> Iterator[Addition]:
    """Yield a table's additions to all boards of each person."""
    rated = {change.seat: change for change in changes}
    for result in results:
        if result.user_id is not None:
            values = _values_of(result, rated.get(result.seat))
            for period in _periods_of(result):
                board = BoardName(result.guild_id or 0, result.game, result.company, period)
                yield Addition(board, result.user_id, values | {"is_lifetime": period in LIFETIME})


def _periods_of(result: Result) -> tuple[str, ...]:
    """Return the periods in which a result counts; outside servers, only all time."""
    if not result.is_unaided:
        return (WITH_HINTS,)
    return periods_at(result.finished_at) if result.guild_id is not None else (ALL_TIME,)


def _values_of(result: Result, change: RatingChange | None) -> Values:
    is_best = result.reason != TableEndReason.RESIGNED.value and result.is_unaided
    is_won = result.place == 1
    return {
        "games": 1,
        "wins": int(is_won),
        "shared_wins": int(result.is_shared),
        "points": result.score,
        "highest": result.score if is_best else None,
        "lowest": result.score if is_best else None,
        "streak": int(is_won),
        "longest_streak": int(is_won),
        "rating": None if change is None else change.after.shown,
        "rated_games": int(change is not None),
        "share": float(is_won),
        "average": float(result.score),
    }


def add(total: dict[str, Any], values: Mapping[str, Any]) -> None:
    """Add a result's values to a total, in the same way as the SQL statement."""
    for name in ("games", "wins", "shared_wins", "points", "rated_games"):
        total[name] += values[name]
    if (score := values["highest"]) is not None:
        total["highest"] = score if total["highest"] is None else max(total["highest"], score)
        total["lowest"] = score if total["lowest"] is None else min(total["lowest"], score)
    total["streak"] = (total["streak"] + 1) * values["wins"]
    total["longest_streak"] = max(total["longest_streak"], total["streak"])
    total["rating"] = total["rating"] if values["rating"] is None else values["rating"]
    total["share"] = total["wins"] / total["games"]
    total["average"] = total["points"] / total["games"]


def encounters_of(results: Sequence[Result]) -> Iterator[Values]:
    """Yield a server table's rows of `encounters`: one for every two people who used no hints."""
    if results[0].guild_id is None:
        return
    # Erased people, who have negative ids, are left out, because nobody can look up their results against them.
    counted = [result for result in results if result.is_unaided]
    people = {result.user_id: result for result in counted if result.user_id is not None and result.user_id > 0}
    for user_id, other_id in combinations(sorted(people), 2):
        first, second = people[user_id], people[other_id]
        yield {
            "guild_id": first.guild_id,
            "user_id": user_id,
            "other_id": other_id,
            "finished_at": first.finished_at,
            "table_id": first.table_id,
            "game": first.game,
            "outcome": (second.place > first.place) - (second.place < first.place),
        }


def _add_totals(connection: Connection, additions: Sequence[Addition]) -> None:
    """Add a table's values to the boards of one game, server and company."""
    if not additions:
        return
    guild_id, game, company, _ = additions[0].board
    contest = {"guild_id": guild_id, "game": game, "company": company.value}
    periods = sorted({addition.board.period for addition in additions})
    ids = _find_boards(connection, contest, periods)
    if new := [contest | {"period": period} for period in periods if period not in ids]:
        connection.execute(_ADD_BOARD, new)
        ids = _find_boards(connection, contest, periods)
    rows: list[Values] = [
        {"board_id": ids[board.period], "user_id": user_id, **values} for board, user_id, values in additions
    ]
    # A fixed order keeps two processes that lock the same rows from deadlocking.
    connection.execute(_ADD, sorted(rows, key=lambda row: (row["board_id"], row["user_id"])))


def _find_boards(connection: Connection, contest: Values, periods: Sequence[str]) -> dict[str, int]:
    found = connection.execute(_SELECT_BOARDS, contest | {"periods": periods})
    return {row.period: row.id for row in found}
