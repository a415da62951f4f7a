"""The badges that people have."""

from sqlalchemy import BigInteger, Column, Index, Text

from bot.platform.database.columns import UtcDateTime, rowless_table

# The primary key lets a person have each badge once: the first table that earned it stays. It refers to no table, as
# people keep their badges when a table is deleted.
badges_earned = rowless_table(
    "badges_earned",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("badge", Text, primary_key=True),
    Column("table_id", BigInteger, nullable=False),
    Column("earned_at", UtcDateTime, nullable=False),
    Column("guild_id", BigInteger),
    # For the line at the end of a table.
    Index("badges_earned_at_tables", "table_id"),
    # Finds the servers of which anything is kept.
    Index("badges_earned_in", "guild_id"),
)
