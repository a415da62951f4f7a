"""The daily bag: its seeds, and people's attempts."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, LargeBinary, Text, text

from bot.platform.database.columns import UtcDateTime, partial_index, rowless_table

# SQLite uses a partial index only for a condition of exactly the same text, so these contain no parameters.
IS_ATTEMPT_OPEN = text("ended_at IS NULL")
HAS_SCORE = text("score IS NOT NULL")
IS_SHOWN_EVERYWHERE = text("score IS NOT NULL AND is_shown")

# The primary key gives a day one seed, whichever process commits to it first.
daily_bags = rowless_table(
    "daily_bags",
    # Days since 1970-01-01, UTC.
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("seed", LargeBinary, nullable=False),
    # The SHA-256 of the seed, in hexadecimal digits.
    Column("commitment", Text, nullable=False),
    Column("committed_at", UtcDateTime, nullable=False),
    Column("published_at", UtcDateTime),
)

# The attempts that count; the primary key makes that the first one of a day.
daily_attempts = rowless_table(
    "daily_attempts",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("table_id", BigInteger, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("name", Text, nullable=False),
    Column("started_at", UtcDateTime, nullable=False),
    Column("ended_at", UtcDateTime),
    # Null until it has ended, and if it has no result.
    Column("score", Integer),
    # Whether the person consents to be shown across servers; repeated here for the index.
    Column("is_shown", Boolean, nullable=False),
    Index("daily_attempts_at", "table_id", unique=True),
    # Finds those that keep a seed from being published.
    partial_index("daily_attempts_open", "day", "started_at", where=IS_ATTEMPT_OPEN),
    # For the boards of a server, and across servers.
    partial_index("daily_attempts_in", "guild_id", "day", "score", "user_id", where=HAS_SCORE),
    # With the column of its condition, or SQLite would look up every row to see it.
    partial_index("daily_attempts_shown", "day", "score", "user_id", "is_shown", where=IS_SHOWN_EVERYWHERE),
)

# The days on which someone finished the bag in a server, for its streak.
daily_servers = rowless_table(
    "daily_servers",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    Column("day", Integer, primary_key=True, autoincrement=False),
)

# The people who consent to be shown on the board of all servers.
daily_consents = rowless_table(
    "daily_consents",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    # Of their account: what they are called in a server stays there.
    Column("name", Text, nullable=False),
    Column("given_at", UtcDateTime, nullable=False),
)
