"""Add whether a table and a server allow hints, and who has used them."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("tables", sa.Column("allows_hints", sa.Boolean, nullable=False, server_default=sa.true()))
    op.add_column("tables", sa.Column("hinted", sa.Integer, nullable=False, server_default="0"))
    op.add_column("results", sa.Column("used_hints", sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("preferences", sa.Column("hints", sa.Boolean, nullable=False, server_default=sa.true()))
