"""Add reminders of players whose turn it is."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "reminders",
        sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("stands", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    awaits_person = sa.text("status = 'playing' AND NOT awaits_computer AND solo_id = 0 AND guild_id IS NOT NULL")
    op.create_index(
        "tables_awaited",
        "tables",
        ["awaited_since", "id"],
        sqlite_where=awaits_person,
        postgresql_where=awaits_person,
    )
