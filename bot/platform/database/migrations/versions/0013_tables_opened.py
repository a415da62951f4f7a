"""Add an index of a person's open tables."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    is_open = sa.text("status IN ('lobby', 'playing', 'held')")
    op.create_index(
        "tables_opened", "tables", ["opener_id", "guild_id"], sqlite_where=is_open, postgresql_where=is_open
    )
