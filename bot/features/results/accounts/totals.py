"""Adds a finished table to the totals of its people and to the days of its channel."""

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Connection, bindparam, insert, select, text

from bot.features.results.accounts.additions import Addition, BoardName, encounters_of
from bot.features.results.total_schema import boards, encounters
from bot.platform.database.sql import Values
from bot.platform.days import day_of
from bot.tables.seat_result import Result

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
