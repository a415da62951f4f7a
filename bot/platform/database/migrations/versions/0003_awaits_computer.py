"""Add `awaits_computer` to tables: whether a computer player is to move."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.add_column("tables", sa.Column("awaits_computer", sa.Boolean, nullable=False, server_default=sa.false()))
    tables = sa.table(
        "tables", sa.column("id"), sa.column("status"), sa.column("to_move"), sa.column("awaits_computer")
    )
    seats = sa.table("seats", sa.column("table_id"), sa.column("seat"), sa.column("user_id"))
    computer = sa.exists().where(
        seats.c.table_id == tables.c.id, seats.c.seat == tables.c.to_move, seats.c.user_id.is_(None)
    )
    op.execute(tables.update().where(tables.c.status == "playing", computer).values(awaits_computer=sa.true()))
    awaits_computer = sa.text("awaits_computer")
    op.create_index("tables_awaiting", "tables", ["id"], sqlite_where=awaits_computer, postgresql_where=awaits_computer)
