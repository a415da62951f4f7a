"""Add preferences of servers."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.create_table(
        "preferences",
        sa.Column("scope_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("theme", sa.Text),
        sa.Column("reminds", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
