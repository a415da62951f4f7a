"""Note since when a deadline runs, and not only that downtime does not count for it."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0038"
down_revision = "0037"

_LONG_AGO = datetime(2015, 1, 1, tzinfo=UTC)


def upgrade() -> None:
    op.add_column("jobs", sa.Column("counts_from", sa.DateTime(timezone=True)))
    jobs = sa.table(
        "jobs", sa.column("counts_from", sa.DateTime(timezone=True)), sa.column("skips_downtime", sa.Boolean())
    )
    # When it was is not known any more.
    op.execute(jobs.update().where(jobs.c.skips_downtime).values(counts_from=_LONG_AGO))
    op.drop_column("jobs", "skips_downtime")
