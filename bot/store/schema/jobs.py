"""What is due when, how long the bot did not run, and notes."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Integer, Text

from bot.store.schema.base import UtcDateTime, rowless_table

# What has to be done at a time; the primary key and `claimed_until` decide which of two processes does it.
jobs = rowless_table(
    "jobs",
    Column("kind", Text, primary_key=True),
    Column("key", Text, primary_key=True),
    Column("due_at", UtcDateTime, nullable=False),
    # Until when a process is doing it. After that, another one does.
    Column("claimed_until", UtcDateTime),
    # Whether time when no process ran does not count: the job is then due later.
    Column("skips_downtime", Boolean, nullable=False),
    # The server whose process does it, 0 for direct messages; NULL if any process may.
    Column("guild_id", BigInteger),
    Index("jobs_due", "due_at"),
)

# For how long no process ran on a day.
downtimes = rowless_table(
    "downtimes",
    # Days since 1970-01-01, UTC.
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("seconds", Integer, nullable=False),
)

notes = rowless_table(
    "notes",
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
