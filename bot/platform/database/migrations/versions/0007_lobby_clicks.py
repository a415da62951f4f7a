"""Add `lobby_click_id` to tables: the newest click that changed a lobby."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.add_column("tables", sa.Column("lobby_click_id", sa.BigInteger))
