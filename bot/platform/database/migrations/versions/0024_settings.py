"""Add settings of servers with who changed them, and blocks between people."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    for name, default in (("season", "quarter"), ("clock", "none")):
        op.add_column("preferences", sa.Column(name, sa.Text, nullable=False, server_default=default))
    threads = sa.Column("opens_threads", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("preferences", threads)
    for name in ("channels", "opener_roles", "moderator_roles", "games_off"):
        op.add_column("preferences", sa.Column(name, sa.Text, nullable=False, server_default=""))
    op.add_column("preferences", sa.Column("options", sa.Text, nullable=False, server_default="{}"))
    op.create_table(
        "settings_changes",
        sa.Column("scope_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("setting", sa.Text, nullable=False),
        sa.Column("value", sa.Text),
        sqlite_with_rowid=False,
    )
    has_author = sa.text("user_id IS NOT NULL")
    op.create_index(
        "settings_changes_by",
        "settings_changes",
        ["user_id"],
        sqlite_where=has_author,
        postgresql_where=has_author,
    )
    op.create_table(
        "blocks",
        sa.Column("blocker_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("blocked_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("blocked_at", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_index("blocks_of", "blocks", ["blocked_id"])
