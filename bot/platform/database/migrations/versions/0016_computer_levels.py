"""Add `computer_level` to tables: the level that the opener chose for computer players."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("tables", sa.Column("computer_level", sa.Text))
