"""Tournaments, who takes part, and who plays whom."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Table, Text

from bot.platform.database.columns import UtcDateTime, metadata, rowless_table

tournaments = Table(
    "tournaments",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("guild_id", BigInteger, nullable=False),
    Column("channel_id", BigInteger, nullable=False),
    Column("title", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("options", Text, nullable=False),
    Column("opener_id", BigInteger, nullable=False),
    Column("opener_name", Text, nullable=False),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("round_hours", Integer, nullable=False),
    Column("format", Text),
    Column("stage", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("round", Integer, nullable=False),
    Column("rounds", Integer, nullable=False),
    Column("is_late", Boolean, nullable=False),
    Column("is_announced", Boolean, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("message_id", BigInteger),
    # While a process opens and closes its tables, and a while after such a process has died.
    Column("busy_until", UtcDateTime),
    Index("tournaments_in", "guild_id", "id"),
    # Ids are never reused: an old button must not reach a newer tournament.
    sqlite_autoincrement=True,
)

tournament_players = rowless_table(
    "tournament_players",
    Column("tournament_id", BigInteger, primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    # The order of joining.
    Column("place", Integer, nullable=False),
    Column("name", Text, nullable=False),
    Column("click_id", BigInteger, nullable=False),
    # The place in the draw; 0 before the start.
    Column("number", Integer, nullable=False),
    Column("has_withdrawn", Boolean, nullable=False),
    Index("tournament_players_by", "user_id"),
)

# Its tables are found by their links.
pairings = rowless_table(
    "pairings",
    Column("tournament_id", BigInteger, primary_key=True, autoincrement=False),
    Column("round", Integer, primary_key=True, autoincrement=False),
    Column("board", Integer, primary_key=True, autoincrement=False),
    Column("first_user_id", BigInteger, nullable=False),
    Column("second_user_id", BigInteger),
    Column("verdict", Text),
    Column("grounds", Text),
    Column("thread_id", BigInteger),
    Column("attempt", Integer, nullable=False),
    Column("is_reminded", Boolean, nullable=False),
)
