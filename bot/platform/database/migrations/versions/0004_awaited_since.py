"""Add `awaited_since` to tables: when the current turn began to wait."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    # A column that is added must have a value at once, and SQLite takes no other than a constant.
    awaited_since = sa.Column(
        "awaited_since", sa.DateTime(timezone=True), nullable=False, server_default="1970-01-01 00:00:00.000000"
    )
    op.add_column("tables", awaited_since)
    op.execute("UPDATE tables SET awaited_since = updated_at")
