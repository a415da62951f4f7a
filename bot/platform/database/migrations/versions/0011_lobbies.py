"""Add an index of lobbies."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    is_lobby = sa.text("status = 'lobby'")
    op.create_index("tables_in_lobby", "tables", ["id"], sqlite_where=is_lobby, postgresql_where=is_lobby)
