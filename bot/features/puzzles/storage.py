"""Queries for answers to puzzles, and for streaks."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    Select,
    Text,
    bindparam,
    case,
    desc,
    func,
    insert,
    select,
    union_all,
)

from bot.features.puzzles.model import DailyAnswer, DailyBoard, PuzzleAnswer, Solver, Streak
from bot.platform.database.sql import UtcDateTime, Values, rowless_table, try_insert
from bot.platform.places import Day
from bot.tables.schema import read_row

# The first answers to daily puzzles; the primary key makes the first answer of a day count.
daily_answers = rowless_table(
    "daily_answers",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    # Days since 1970-01-01, UTC.
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("choice", Integer, nullable=False),
    Column("is_right", Boolean, nullable=False),
    Column("guild_id", BigInteger),
    Column("name", Text, nullable=False),
    Column("answered_at", UtcDateTime, nullable=False),
    # For the board and the streak of a server.
    Index("daily_answers_in", "guild_id", "day", "is_right", "user_id"),
)

# The first answers to all other puzzles.
puzzle_answers = rowless_table(
    "puzzle_answers",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("puzzle", Text, primary_key=True),
    Column("is_right", Boolean, nullable=False),
    Column("answered_at", UtcDateTime, nullable=False),
)


_IN_SERVER: Final = daily_answers.c.guild_id == bindparam("guild_id")
_OF_PERSON: Final = daily_answers.c.user_id == bindparam("user_id")
_TODAY: Final = bindparam("today", type_=Integer)

_INSERT_DAILY: Final = insert(daily_answers).returning(daily_answers.c.day)
_INSERT_ANSWER: Final = insert(puzzle_answers).returning(puzzle_answers.c.puzzle)
SELECT_DAILY: Final = select(daily_answers).where(_OF_PERSON, daily_answers.c.day == _TODAY)
SELECT_ANSWERED: Final = union_all(
    select(daily_answers.c.puzzle, daily_answers.c.is_right, daily_answers.c.answered_at).where(
        _OF_PERSON, daily_answers.c.game == bindparam("game")
    ),
    select(puzzle_answers.c.puzzle, puzzle_answers.c.is_right, puzzle_answers.c.answered_at).where(
        puzzle_answers.c.user_id == bindparam("user_id"), puzzle_answers.c.game == bindparam("game")
    ),
).order_by(desc("answered_at"))
COUNT_ANSWERS: Final = select(
    func.count().label("answered"), func.sum(case((daily_answers.c.is_right, 1), else_=0)).label("solved")
).where(_IN_SERVER, daily_answers.c.day == _TODAY)


def _runs(days: Select[Any], *people: ColumnElement[Any]) -> Select[Any]:
    """Build the query for the lengths and last days of runs of days, by person or (without a column) of all days."""
    found = days.subquery()
    keys = [found.c[column.name] for column in people]
    # The sum of a day and its rank, counted from the newest, is constant within a run.
    rank = func.row_number().over(partition_by=keys or None, order_by=desc(found.c.day))
    ranked = select(*keys, found.c.day, (found.c.day + rank).label("run")).subquery()
    by = [ranked.c[column.name] for column in people]
    return select(*by, func.count().label("length"), func.max(ranked.c.day).label("last")).group_by(*by, ranked.c.run)


def _streak(days: Select[Any]) -> Select[Any]:
    """Build the query for the longest run of days, and the length of the run that ends today or yesterday."""
    runs = _runs(days).subquery()
    current = func.max(case((runs.c.last >= _TODAY - 1, runs.c.length), else_=0))
    return select(current.label("current"), func.max(runs.c.length).label("longest"))


STREAK_OF_PERSON: Final = _streak(select(daily_answers.c.day).where(_OF_PERSON, daily_answers.c.is_right))
STREAK_OF_PERSON_IN_SERVER: Final = _streak(
    select(daily_answers.c.day).where(_OF_PERSON, _IN_SERVER, daily_answers.c.is_right)
)
STREAK_OF_SERVER: Final = _streak(select(daily_answers.c.day).where(_IN_SERVER, daily_answers.c.is_right).distinct())


def _solvers() -> Select[Any]:
    """Build the query for the people who solved a day's puzzle in a server, longest streaks first."""
    solved = (_IN_SERVER, daily_answers.c.is_right)
    today = select(daily_answers.c.user_id).where(*solved, daily_answers.c.day == _TODAY)
    days = select(daily_answers.c.user_id, daily_answers.c.day).where(*solved, daily_answers.c.user_id.in_(today))
    runs = _runs(days, daily_answers.c.user_id).subquery()
    name = daily_answers.c.name
    found = select(runs.c.user_id, name, runs.c.length).join(daily_answers, daily_answers.c.user_id == runs.c.user_id)
    found = found.where(runs.c.last == _TODAY, daily_answers.c.day == _TODAY)
    return found.order_by(desc(runs.c.length), runs.c.user_id).limit(bindparam("limit"))


SELECT_SOLVERS: Final = _solvers()


def answer_daily(connection: Connection, answer: DailyAnswer) -> DailyAnswer:
    """Store a person's answer to a day's puzzle unless one exists, and return the first."""
    if try_insert(connection, _INSERT_DAILY, asdict(answer)):
        return answer
    return find_daily(connection, answer.user_id, answer.day) or answer


def find_daily(connection: Connection, user_id: int, day: Day) -> DailyAnswer | None:
    """Return a person's answer to a day's puzzle, or None."""
    row = connection.execute(SELECT_DAILY, {"user_id": user_id, "today": day}).one_or_none()
    return None if row is None else read_row(DailyAnswer, row)


def note_answer(connection: Connection, answer: PuzzleAnswer) -> None:
    """Store a person's answer to a puzzle, unless one exists."""
    try_insert(connection, _INSERT_ANSWER, asdict(answer))


def find_answered(connection: Connection, user_id: int, game: str) -> Mapping[str, bool]:
    """Return the keys of the puzzles that a person has answered, and whether each first answer was right."""
    # A puzzle may be answered twice, as a day's puzzle and in practice: rows come newest first, so the oldest wins.
    return {row.puzzle: row.is_right for row in connection.execute(SELECT_ANSWERED, {"user_id": user_id, "game": game})}


def person_streak(connection: Connection, user_id: int, today: Day, guild_id: int | None = None) -> Streak:
    """Return a person's streak in a server or (None) across servers; a wrong answer today ends it."""
    answer = find_daily(connection, user_id, today)
    statement = STREAK_OF_PERSON if guild_id is None else STREAK_OF_PERSON_IN_SERVER
    streak = _streak_of(connection, statement, {"user_id": user_id, "today": today, "guild_id": guild_id})
    is_broken = answer is not None and not answer.is_right
    return Streak(0, streak.longest) if is_broken else streak


def daily_board(connection: Connection, guild_id: int, today: Day, limit: int) -> DailyBoard:
    """Return a server's results for a day's puzzle, with the solvers with the longest streaks, then by id."""
    key = {"guild_id": guild_id, "today": today}
    counted = connection.execute(COUNT_ANSWERS, key).one()
    solvers = connection.execute(SELECT_SOLVERS, {**key, "limit": limit})
    return DailyBoard(
        today,
        counted.answered,
        counted.solved or 0,
        _streak_of(connection, STREAK_OF_SERVER, key),
        tuple(Solver(row.user_id, row.name, row.length) for row in solvers),
    )


def _streak_of(connection: Connection, statement: Select[Any], key: Values) -> Streak:
    row = connection.execute(statement, key).one()
    return Streak(row.current or 0, row.longest or 0)
