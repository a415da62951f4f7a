"""Add the reason of the end to the index of leaderboards, which ignore scores of resigned games."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    is_person = sa.text("user_id IS NOT NULL")
    op.drop_index("results_ranked", "results")
    op.create_index(
        "results_ranked",
        "results",
        ["game", "company", "guild_id", "user_id", "place", "score", "is_shared", "reason"],
        sqlite_where=is_person,
        postgresql_where=is_person,
    )
