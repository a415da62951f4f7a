"""Add to results whether a player had resigned or was replaced."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("results", sa.Column("departure", sa.Text))
