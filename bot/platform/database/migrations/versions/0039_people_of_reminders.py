"""Note whom a reminder is for: nobody has two pings at a time."""

import sqlalchemy as sa
from alembic import op

revision = "0039"
down_revision = "0038"


def upgrade() -> None:
    op.add_column("reminders", sa.Column("user_id", sa.BigInteger))
    op.execute(
        "UPDATE reminders SET user_id = (SELECT seats.user_id FROM seats "
        "WHERE seats.table_id = reminders.table_id AND seats.seat = reminders.seat)"
    )
    stands = sa.text("stands")
    op.create_index("reminders_standing", "reminders", ["user_id"], sqlite_where=stands, postgresql_where=stands)
