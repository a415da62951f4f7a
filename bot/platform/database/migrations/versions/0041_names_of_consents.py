"""Note by which name people consent to be shown across servers."""

import sqlalchemy as sa
from alembic import op

revision = "0041"
down_revision = "0040"


def upgrade() -> None:
    # The names of their accounts are not known, so people are asked again.
    op.execute("UPDATE daily_attempts SET is_shown = FALSE WHERE is_shown")
    op.drop_table("daily_consents")
    op.create_table(
        "daily_consents",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
