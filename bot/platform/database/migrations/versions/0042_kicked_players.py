"""Add `kicked` to tables: who was removed from a lobby."""

import sqlalchemy as sa
from alembic import op

revision = "0042"
down_revision = "0041"


def upgrade() -> None:
    op.add_column("tables", sa.Column("kicked", sa.Text, nullable=False, server_default=""))
