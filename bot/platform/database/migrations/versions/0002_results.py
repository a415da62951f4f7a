"""Add results, and solo games to databases of version 0.1.0."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    # The first migration was changed after 0.1.0 had run it; a database made since has the column already.
    if "solo_id" not in {column["name"] for column in sa.inspect(op.get_bind()).get_columns("tables")}:
        _make_room_for_solo_games()
    _keep_results()


def _make_room_for_solo_games() -> None:
    op.add_column("tables", sa.Column("solo_id", sa.BigInteger, nullable=False, server_default=sa.text("0")))
    op.drop_index("tables_open", "tables")
    is_open = sa.text("status IN ('lobby', 'playing', 'held')")
    op.create_index(
        "tables_open", "tables", ["channel_id", "solo_id"], unique=True, sqlite_where=is_open, postgresql_where=is_open
    )
    op.create_index("tables_in", "tables", ["channel_id", "solo_id", "id"])


def _keep_results() -> None:
    op.create_table(
        "results",
        sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("company", sa.Text, nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("level", sa.Text),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("is_shared", sa.Boolean, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("seats", sa.Integer, nullable=False),
        sa.Column("steps", sa.Integer, nullable=False),
        sa.Column("opened_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sqlite_with_rowid=False,
    )
    is_person, is_first_seat = sa.text("user_id IS NOT NULL"), sa.text("seat = 0")
    for name, columns, condition in (
        ("results_ranked", "game company guild_id user_id place score is_shared", is_person),
        ("results_of_people", "user_id guild_id finished_at table_id", is_person),
        ("results_of_tables", "guild_id channel_id finished_at table_id", is_first_seat),
    ):
        op.create_index(name, "results", columns.split(), sqlite_where=condition, postgresql_where=condition)
