"""The results of finished games, and what is made of them."""

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    desc,
    false,
    text,
)

from bot.platform.database.sql import UtcDateTime, metadata, partial_index, rowless_table, table_id_column

# SQLite uses a partial index only for a condition of exactly the same text, so these contain no parameters.
IS_PERSON = text("user_id IS NOT NULL")
IS_FIRST_SEAT = text("seat = 0")
_UNAIDED = "NOT used_hints"
UNAIDED = text(_UNAIDED)
IS_SOLO = text(f"company = 'alone' AND {_UNAIDED}")
COUNTS_FOR_BADGES = text(f"user_id IS NOT NULL AND departure IS NULL AND {_UNAIDED} AND reason <> 'resigned'")

# The table's columns that queries filter by are repeated in each result, so that each query uses one index.
results = rowless_table(
    "results",
    table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("company", Text, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("user_id", BigInteger),
    Column("name", Text, nullable=False),
    Column("level", Text),
    Column("place", Integer, nullable=False),
    Column("is_shared", Boolean, nullable=False),
    Column("score", Integer, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime, nullable=False),
    Column("reason", Text, nullable=False),
    Column("departure", Text),
    Column("used_hints", Boolean, nullable=False, server_default=false()),
    Column("had_substitute", Boolean, nullable=False, server_default=false()),
    Column("resigned_early", Boolean, nullable=False, server_default=false()),
    # When it counted for ratings, if a table that ended at the same time or later had counted before.
    Column("counted_at", UtcDateTime),
    # For profiles, the tables of two people, and people's newest names.
    partial_index("results_of_people", "user_id", "guild_id", "finished_at", "table_id", "channel_id", where=IS_PERSON),
    # For the average of the newest solo games.
    partial_index("results_alone", "user_id", "guild_id", "game", "finished_at", "table_id", where=IS_SOLO),
    # For a server's history.
    partial_index("results_of_tables", "guild_id", "channel_id", "finished_at", "table_id", where=IS_FIRST_SEAT),
    # For badges. The last three columns let SQLite read nothing else.
    partial_index(
        "results_for_badges",
        *("user_id", "game", "company", "finished_at", "place", "departure", "used_hints", "reason"),
        where=COUNTS_FOR_BADGES,
    ),
)

# The animations of finished games that were shared.
animations = Table(
    "animations",
    metadata,
    Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("file", LargeBinary, nullable=False),
)

# The reviews of finished games that somebody asked for, as JSON.
reviews = Table(
    "reviews",
    metadata,
    Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("review", Text, nullable=False),
)


ratings = rowless_table(
    "ratings",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("games", Integer, nullable=False),
    # When the newest game that counts was counted: later than the time at which the one before it was.
    Column("counted_at", UtcDateTime),
)

# What a table did to the rating of a seat's person.
rating_changes = rowless_table(
    "rating_changes",
    table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("guild_id", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("user_id", BigInteger, nullable=False),
    # Which of the person's rated games it was.
    Column("number", Integer, nullable=False),
    Column("mu_before", Double, nullable=False),
    Column("sigma_before", Double, nullable=False),
    Column("mu", Double, nullable=False),
    Column("sigma", Double, nullable=False),
    Column("finished_at", UtcDateTime, nullable=False),
    # For curves, and for the games of two people in a day.
    Index("rating_changes_of_people", "user_id", "guild_id", "game", "finished_at", "table_id", "number"),
)


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
