"""Adds a finished table to the totals of its people and to the days of its channel."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, bindparam, insert, select, text

from bot.features.results.periods import LIFETIME, WITH_HINTS, periods_at
from bot.features.results.ratings import RatingChange
from bot.features.results.schema import boards, encounters
from bot.platform.database.sql import Values
from bot.platform.places import day_of
from bot.tables.control_entries import TableEndReason
from bot.tables.model import Company, Result


class BoardName(NamedTuple):
    """What a row of `boards` stands for."""

    guild_id: int
    game: str
    company: Company
    period: str


class Addition(NamedTuple):
    """What a result adds to a person's totals on a board."""

    board: BoardName
    user_id: int
    values: Values


def additions_of(results: Sequence[Result], changes: Sequence[RatingChange]) -> Iterator[Addition]:
    """Yield what the results of a table add, on all boards of each person."""
    rated = {change.seat: change for change in changes}
    for result in results:
        if result.user_id is not None:
            values = _values_of(result, rated.get(result.seat))
            for period in periods_of(result) if result.is_unaided else (WITH_HINTS,):
                board = BoardName(result.guild_id or 0, result.game, result.company, period)
                yield Addition(board, result.user_id, values | {"is_lifetime": period in LIFETIME})


def encounters_of(results: Sequence[Result]) -> Iterator[Values]:
    """Yield the rows of `encounters` of a table in a server: one for every two people who used no hints."""
    if results[0].guild_id is None:
        return
    # Pseudonyms are negative: nobody can ask how they did against somebody who is gone.
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


def periods_of(result: Result) -> tuple[str, ...]:
    """Return the periods in which a result counts: outside servers there are only totals of all time."""
    return periods_at(result.finished_at) if result.guild_id is not None else LIFETIME[:1]


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
    """Add the values of a result to a total, as the statement in `totals` does."""
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

# A statement that both databases know: several processes may add to the same row at once.
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
_ADD_DAY: Final = text("""
    INSERT INTO played_days (guild_id, channel_id, day, tables) VALUES (:guild_id, :channel_id, :day, 1)
    ON CONFLICT (guild_id, channel_id, day) DO UPDATE SET tables = played_days.tables + 1
""")
_ADD_ENCOUNTERS: Final = insert(encounters)


def add_totals(connection: Connection, additions: Sequence[Addition]) -> None:
    """Add what a table adds to the boards of one game, server and company."""
    if not additions:
        return
    ids = find_boards(connection, [addition.board for addition in additions])
    rows: list[Values] = [
        {"board_id": ids[board.period], "user_id": user_id, **values} for board, user_id, values in additions
    ]
    # Always in the same order, so that two processes that lock the same rows don't deadlock.
    connection.execute(_ADD, sorted(rows, key=lambda row: (row["board_id"], row["user_id"])))


def find_boards(connection: Connection, names: Sequence[BoardName]) -> Mapping[str, int]:
    """Return the ids of boards that differ in their periods only; make those that are new."""
    guild_id, game, company, _ = names[0]
    contest = {"guild_id": guild_id, "game": game, "company": company.value}
    periods = sorted({name.period for name in names})
    found = _select_boards(connection, contest, periods)
    if missing := [period for period in periods if period not in found]:
        connection.execute(_ADD_BOARD, [contest | {"period": period} for period in missing])
        found = _select_boards(connection, contest, periods)
    return found


def add_day(connection: Connection, result: Result) -> None:
    """Count a table of a server in the day on which it ended."""
    if result.guild_id is not None:
        day = day_of(result.finished_at)
        connection.execute(_ADD_DAY, {"guild_id": result.guild_id, "channel_id": result.channel_id, "day": day})


def add_encounters(connection: Connection, table: Sequence[Result]) -> None:
    """Note how every two people of a table did."""
    if found := list(encounters_of(table)):
        connection.execute(_ADD_ENCOUNTERS, found)


def _select_boards(connection: Connection, contest: Values, periods: Sequence[str]) -> dict[str, int]:
    found = connection.execute(_SELECT_BOARDS, contest | {"periods": periods})
    return {row.period: row.id for row in found}
