"""Add indexes that find the servers of tables and badges, without reading all of them."""

from alembic import op

revision = "0036"
down_revision = "0035"


def upgrade() -> None:
    op.create_index("tables_of_servers", "tables", ["guild_id"])
    op.create_index("badges_earned_in", "badges_earned", ["guild_id"])
