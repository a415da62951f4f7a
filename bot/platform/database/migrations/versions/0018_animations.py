"""Add the animations of finished games that were shared."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.create_table(
        "animations",
        sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("file", sa.LargeBinary, nullable=False),
    )
