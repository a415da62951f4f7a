"""Add hints to the index of leaderboards, which leave out results for which hints were used."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    is_person = sa.text("user_id IS NOT NULL")
    op.drop_index("results_ranked", "results")
    op.create_index(
        "results_ranked",
        "results",
        ["game", "company", "guild_id", "user_id", "place", "score", "is_shared", "reason", "used_hints"],
        sqlite_where=is_person,
        postgresql_where=is_person,
    )
