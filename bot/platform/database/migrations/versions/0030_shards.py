"""Add leases of shards, the times of identifies, and the servers of jobs."""

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    op.create_table(
        "shard_leases",
        sa.Column("shard_count", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("is_ready", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "identifies",
        sa.Column("bucket", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("free_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
    # Jobs without a server may be done by any process. Only the one that is connected for a server knows whether the
    # bot is still there.
    op.add_column("jobs", sa.Column("guild_id", sa.BigInteger))
    op.execute("UPDATE jobs SET guild_id = CAST(key AS BIGINT) WHERE kind IN ('left server', 'server erasure')")
