"""Add the daily bag: seeds, attempts, days of servers, consents, and which tables are practice."""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    op.add_column("tables", sa.Column("is_practice", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "daily_bags",
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("committed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("published_at", sa.DateTime(timezone=True)),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "daily_attempts",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True)),
        sa.Column("score", sa.Integer),
        sa.Column("is_shown", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("daily_attempts_at", "daily_attempts", ["table_id"], unique=True)
    _partial_index("daily_attempts_open", "day", "started_at", where="ended_at IS NULL")
    _partial_index("daily_attempts_in", "guild_id", "day", "score", "user_id", where="score IS NOT NULL")
    _partial_index(
        "daily_attempts_shown", "day", "score", "user_id", "is_shown", where="score IS NOT NULL AND is_shown"
    )
    op.create_table(
        "daily_servers",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "daily_consents",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("given_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )


def _partial_index(name: str, *columns: str, where: str) -> None:
    condition = sa.text(where)
    op.create_index(name, "daily_attempts", [*columns], sqlite_where=condition, postgresql_where=condition)
