"""Add badges, and an index of the results that earn them."""

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.create_table(
        "badges_earned",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("badge", sa.Text, primary_key=True),
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("earned_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    op.create_index("badges_earned_at_tables", "badges_earned", ["table_id"])
    counts = sa.text("user_id IS NOT NULL AND departure IS NULL AND NOT used_hints AND reason <> 'resigned'")
    op.create_index(
        "results_for_badges",
        "results",
        ["user_id", "game", "company", "finished_at", "place", "departure", "used_hints", "reason"],
        sqlite_where=counts,
        postgresql_where=counts,
    )
