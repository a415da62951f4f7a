"""The results of finished games, and what is made of them."""

from sqlalchemy import BigInteger, Boolean, Column, ForeignKey, Integer, LargeBinary, Table, Text, false, text

from bot.platform.database.columns import UtcDateTime, metadata, partial_index, rowless_table, table_id_column

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
