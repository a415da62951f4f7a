"""What processes agree on about shards."""

from sqlalchemy import Boolean, Column, Integer, Text

from bot.platform.database.columns import UtcDateTime, rowless_table

# The process that has a range of shards, and the end of its lease. After that, another one may take some of them.
# Ranges of leases that have not ended do not overlap.
shard_leases = rowless_table(
    "shard_leases",
    Column("shard_count", Integer, primary_key=True, autoincrement=False),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, nullable=False),
    Column("owner", Text, nullable=False),
    Column("expires_at", UtcDateTime, nullable=False),
    # Whether the owner is connected.
    Column("is_ready", Boolean, nullable=False),
)

# When a process of a range last noted that it runs. All rows have the same number of shards, and no two ranges overlap.
alive = rowless_table(
    "alive",
    Column("shard_count", Integer, primary_key=True, autoincrement=False),
    Column("first", Integer, primary_key=True, autoincrement=False),
    Column("last", Integer, nullable=False),
    Column("noted_at", UtcDateTime, nullable=False),
)

# The earliest time at which the next shard of a bucket may identify with Discord.
identifies = rowless_table(
    "identifies",
    Column("bucket", Integer, primary_key=True, autoincrement=False),
    Column("free_at", UtcDateTime, nullable=False),
)
