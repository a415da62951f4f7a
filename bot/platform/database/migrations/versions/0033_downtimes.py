"""Add for how long the bot did not run on a day."""

import sqlalchemy as sa
from alembic import op

revision = "0033"
down_revision = "0032"


def upgrade() -> None:
    op.create_table(
        "downtimes",
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seconds", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
