"""The answers to puzzles."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Text

from bot.platform.database.columns import UtcDateTime, rowless_table

# The first answers to daily puzzles; the primary key decides which answer of a day counts.
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
