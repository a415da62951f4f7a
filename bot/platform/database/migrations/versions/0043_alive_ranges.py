"""Note for each range of shards, instead of for each shard, when a process last ran."""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"


def upgrade() -> None:
    op.create_table(
        "alive",
        sa.Column("shard_count", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
    op.execute("INSERT INTO alive SELECT 1, 0, 0, noted_at FROM served_shards WHERE shard_count = 1")
    op.drop_table("served_shards")
