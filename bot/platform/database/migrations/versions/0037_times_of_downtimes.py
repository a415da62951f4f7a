"""Note when the bot did not run, and not only for how long on a day."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0037"
down_revision = "0036"

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)


def upgrade() -> None:
    known = op.get_bind().execute(sa.text("SELECT day, seconds FROM downtimes")).all()
    op.drop_table("downtimes")
    downtimes = op.create_table(
        "downtimes",
        sa.Column("began_at", sa.DateTime(timezone=True), primary_key=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
    # At what time of the day it was is not known any more.
    begins = [(_BEGIN + timedelta(days=day), seconds) for day, seconds in known]
    op.bulk_insert(
        downtimes, [{"began_at": begin, "ended_at": begin + timedelta(seconds=seconds)} for begin, seconds in begins]
    )
