"""Add tournaments with their players and pairings."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.create_table(
        "tournaments",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("title", "game", "options")),
        sa.Column("opener_id", sa.BigInteger, nullable=False),
        sa.Column("opener_name", sa.Text, nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("round_hours", sa.Integer, nullable=False),
        sa.Column("format", sa.Text),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("is_late", sa.Boolean, nullable=False),
        sa.Column("is_announced", sa.Boolean, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("busy_until", sa.DateTime(timezone=True)),
        sqlite_autoincrement=True,
    )
    op.create_index("tournaments_in", "tournaments", ["guild_id", "id"])
    op.create_table(
        "tournament_players",
        sa.Column("tournament_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("click_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("has_withdrawn", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("tournament_players_by", "tournament_players", ["user_id"])
    op.create_table(
        "pairings",
        sa.Column("tournament_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("round", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("board", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first_user_id", sa.BigInteger, nullable=False),
        sa.Column("second_user_id", sa.BigInteger),
        sa.Column("verdict", sa.Text),
        sa.Column("grounds", sa.Text),
        sa.Column("thread_id", sa.BigInteger),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("is_reminded", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
