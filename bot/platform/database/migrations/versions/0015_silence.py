"""Add announcements of idle tables, and the indexes that find such tables."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "announcements",
        sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("noted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sqlite_with_rowid=False,
    )
    _add_index("tables_aside", ["channel_id", "id"], "status IN ('aside', 'held_aside')")
    _add_index("tables_silent", ["updated_at", "id"], "status IN ('playing', 'held', 'aside', 'held_aside')")
    # A part of a series whose table was abandoned may be played anew.
    op.drop_index("tables_linked", "tables")
    continues = "first_id IS NOT NULL AND status NOT IN ('cancelled', 'expired', 'abandoned')"
    _add_index("tables_linked", ["first_id", "link_kind", "part"], continues, unique=True)


def _add_index(name: str, columns: list[str], condition: str, *, unique: bool = False) -> None:
    where = sa.text(condition)
    op.create_index(name, "tables", columns, unique=unique, sqlite_where=where, postgresql_where=where)
