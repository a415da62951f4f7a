"""Add people's answers to puzzles."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "daily_answers",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("choice", sa.Integer, nullable=False),
        sa.Column("is_right", sa.Boolean, nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("daily_answers_in", "daily_answers", ["guild_id", "day", "is_right", "user_id"])
    op.create_table(
        "puzzle_answers",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("puzzle", sa.Text, primary_key=True),
        sa.Column("is_right", sa.Boolean, nullable=False),
        sa.Column("answered_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
