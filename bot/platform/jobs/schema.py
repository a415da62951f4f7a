"""What is due when, how long the bot did not run, and notes."""

from sqlalchemy import BigInteger, Column, Index, Integer, Text

from bot.platform.database.columns import UtcDateTime, rowless_table

# What has to be done at a time; the primary key and `claimed_until` decide which of two processes does it.
jobs = rowless_table(
    "jobs",
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("due_at", UtcDateTime, nullable=False),
    # Until when a process is doing it. After that, another one does.
    Column("claimed_until", UtcDateTime),
    # The server whose process does it, 0 for direct messages; NULL if any process may.
    Column("guild_id", BigInteger),
    # Since when its time runs, if the job is due later by any time in it when no process ran.
    Column("counts_from", UtcDateTime),
    Index("jobs_due", "due_at"),
)

# Times in which a range of shards had no process.
downtimes = rowless_table(
    "downtimes",
    Column("began_at", UtcDateTime, primary_key=True),
    Column("ended_at", UtcDateTime, nullable=False),
    Column("shard_count", Integer, primary_key=True, autoincrement=False),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, nullable=False),
)

notes = rowless_table(
    "notes",
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
