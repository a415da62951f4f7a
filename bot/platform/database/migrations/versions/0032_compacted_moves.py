"""Add the compacted moves of tables that are over."""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"


def upgrade() -> None:
    op.create_table(
        "compacted_moves",
        sa.Column(
            "table_id",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            sa.ForeignKey("tables.id"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("entries", sa.LargeBinary, nullable=False),
    )
