"""Close tournaments that nobody starts or decides: those that are open get their time from now on."""

from datetime import UTC, datetime, timedelta

import sqlalchemy as sa
from alembic import op

revision = "0035"
down_revision = "0034"


INSERT_JOBS = """
    INSERT INTO jobs (kind, key, due_at, skips_downtime, guild_id)
    SELECT 'forgotten tournament', CAST(id AS TEXT), :due_at, TRUE, guild_id FROM tournaments
    WHERE stage = :stage AND (stage = 'joining' OR is_late)
"""


def upgrade() -> None:
    now, statement = datetime.now(UTC), sa.text(INSERT_JOBS)
    for stage, days in (("joining", 14), ("running", 28)):
        due_at = sa.bindparam("due_at", now + timedelta(days=days), sa.DateTime(timezone=True))
        op.get_bind().execute(statement.bindparams(due_at), {"stage": stage})
