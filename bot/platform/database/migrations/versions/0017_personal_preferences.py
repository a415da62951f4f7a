"""Add people's own preferences, and the setting of a server for tips."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.create_table(
        "personal_preferences",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("tips", sa.Boolean, nullable=False),
        sa.Column("reads_aloud", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.add_column("preferences", sa.Column("tips", sa.Boolean, nullable=False, server_default=sa.true()))
