"""Add jobs: what has to be done at a time."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.create_table(
        "jobs",
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("claimed_until", sa.DateTime(timezone=True)),
        sa.Column("skips_downtime", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("jobs_due", "jobs", ["due_at"])
