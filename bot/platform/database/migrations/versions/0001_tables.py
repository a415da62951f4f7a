"""Create tables, seats, moves and notes."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "tables",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("solo_id", sa.BigInteger, nullable=False),
        sa.Column("opener_id", sa.BigInteger, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("salt", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("to_move", sa.Integer),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("published", sa.Integer, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_autoincrement=True,
    )
    is_open = sa.text("status IN ('lobby', 'playing', 'held')")
    op.create_index(
        "tables_open", "tables", ["channel_id", "solo_id"], unique=True, sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_index("tables_in", "tables", ["channel_id", "solo_id", "id"])
    is_unshown = sa.text("published < revision")
    op.create_index("tables_unshown", "tables", ["id"], sqlite_where=is_unshown, postgresql_where=is_unshown)
    op.create_table(
        "seats",
        sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("level", sa.Text),
        sa.Column("contribution", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "moves",
        sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("step", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("click_id", sa.BigInteger),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "notes",
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
