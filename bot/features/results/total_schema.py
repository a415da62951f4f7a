"""What is added up of results when a table ends, so that no question adds up results."""

from sqlalchemy import BigInteger, Boolean, Column, Double, ForeignKey, Index, Integer, Table, Text, desc, text

from bot.platform.database.columns import UtcDateTime, metadata, partial_index, rowless_table

# SQLite uses a partial index only for a condition of exactly the same text, so these contain no parameters.
HAS_HIGHEST = text("highest IS NOT NULL")
HAS_LOWEST = text("lowest IS NOT NULL")
HAS_RATING = text("rating IS NOT NULL")
IS_LIFETIME = text("is_lifetime")

# What people are ranked in: a game in a server, with a company, in a period (`bot.features.results.periods`).
boards = Table(
    "boards",
    metadata,
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    # 0 for games outside servers.
    Column("guild_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("company", Text, nullable=False),
    Column("period", Text, nullable=False),
    Index("boards_of", "guild_id", "game", "company", "period", unique=True),
    # For the end of a season.
    Index("boards_in", "period", "guild_id"),
)

# A person's results on a board, with an index for each order.
totals = rowless_table(
    "totals",
    Column("board_id", BigInteger, ForeignKey("boards.id"), primary_key=True, autoincrement=False),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("games", Integer, nullable=False),
    Column("wins", Integer, nullable=False),
    Column("shared_wins", Integer, nullable=False),
    Column("points", BigInteger, nullable=False),
    # NULL if resignations ended every game.
    Column("highest", Integer),
    Column("lowest", Integer),
    # Wins in a row, up to now and at most.
    Column("streak", Integer, nullable=False),
    Column("longest_streak", Integer, nullable=False),
    # The shown rating after the newest rated game of the period.
    Column("rating", Integer),
    Column("rated_games", Integer, nullable=False),
    # Wins per game and points per game, to sort by.
    Column("share", Double, nullable=False),
    Column("average", Double, nullable=False),
    Column("is_lifetime", Boolean, nullable=False),
    Index("totals_by_wins", "board_id", desc("wins"), desc("share"), "user_id"),
    Index("totals_by_points", "board_id", desc("points"), "user_id"),
    Index(
        "totals_by_highest",
        *("board_id", desc("highest"), desc("average"), "user_id"),
        sqlite_where=HAS_HIGHEST,
        postgresql_where=HAS_HIGHEST,
    ),
    partial_index("totals_by_lowest", "board_id", "lowest", "average", "user_id", where=HAS_LOWEST),
    Index(
        "totals_by_rating", "board_id", desc("rating"), "user_id", sqlite_where=HAS_RATING, postgresql_where=HAS_RATING
    ),
    # For profiles.
    partial_index("totals_of_people", "user_id", "board_id", where=IS_LIFETIME),
)

# How many tables ended on a day in a channel: finds a page of a history without counting tables.
played_days = rowless_table(
    "played_days",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("channel_id", BigInteger, primary_key=True, autoincrement=False),
    # Days since 1970-01-01, UTC.
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("tables", Integer, nullable=False),
)

# How two people did at a table that they shared: two rows of `results` are joined only once, when the table ends.
encounters = rowless_table(
    "encounters",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    # The one with the smaller id comes first.
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("other_id", BigInteger, primary_key=True, autoincrement=False),
    Column("finished_at", UtcDateTime, primary_key=True),
    Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    # 1 if the first of them placed before the second, -1 if after, 0 if they shared a place.
    Column("outcome", Integer, nullable=False),
)

# The seasons that are over.
seasons = rowless_table(
    "seasons",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("period", Text, primary_key=True),
    Column("ended_at", UtcDateTime, nullable=False),
)

season_champions = rowless_table(
    "season_champions",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("period", Text, primary_key=True),
    Column("game", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    # What they won by: a rating, or a score.
    Column("by", Text, nullable=False),
    Column("value", Integer, nullable=False),
)
