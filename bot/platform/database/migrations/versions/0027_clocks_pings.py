"""Add turn clocks, how people want to be pinged, and whose seats are whose."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.add_column("tables", sa.Column("clock", sa.Text, nullable=False, server_default="none"))
    op.add_column("tables", sa.Column("clock_ends_at", sa.DateTime(timezone=True)))
    op.add_column("tables", sa.Column("is_time_up", sa.Boolean, nullable=False, server_default=sa.false()))
    has_person = sa.text("user_id IS NOT NULL")
    op.create_index("seats_of", "seats", ["user_id", "table_id"], sqlite_where=has_person, postgresql_where=has_person)
    op.add_column("reminders", sa.Column("stage", sa.Text, nullable=False, server_default="turn"))
    op.add_column("reminders", sa.Column("channel_id", sa.BigInteger))
    op.add_column("reminders", sa.Column("send_at", sa.DateTime(timezone=True)))
    is_held = sa.text("send_at IS NOT NULL")
    op.create_index("reminders_held", "reminders", ["send_at"], sqlite_where=is_held, postgresql_where=is_held)
    op.create_table(
        "pings",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("delay", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "ping_people",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("zone", sa.Text),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_until", sa.Integer),
        sa.Column("refuses_direct", sa.Boolean, nullable=False, server_default=sa.false()),
        sqlite_with_rowid=False,
    )
