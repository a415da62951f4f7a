"""Results tell who had resigned, or was stood in for, when the game ended."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.add_column("results", sa.Column("departure", sa.Text))
