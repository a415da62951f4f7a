"""Add the link of a table to the first one of its series."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    columns = (("first_id", sa.BigInteger), ("link_kind", sa.Text), ("part", sa.Integer), ("carried", sa.Text))
    for name, kind in columns:
        op.add_column("tables", sa.Column(name, kind))
    continues = sa.text("first_id IS NOT NULL AND status NOT IN ('cancelled', 'expired')")
    op.create_index(
        "tables_linked",
        "tables",
        ["first_id", "link_kind", "part"],
        unique=True,
        sqlite_where=continues,
        postgresql_where=continues,
    )
