"""Add ratings, totals, days of channels and seasons; `upgrade` fills them from the results afterwards."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"

TIME = sa.DateTime(timezone=True)

# Whether every seat had moved is told by the moves; that a substituted player came back, only by reading every move.
MARK_SUBSTITUTES = """
    UPDATE results SET had_substitute = TRUE
    WHERE table_id IN (SELECT table_id FROM results WHERE departure = 'substituted')
"""
MARK_EARLY_RESIGNATIONS = """
    UPDATE results SET resigned_early = TRUE
    WHERE table_id IN (
        SELECT resignation.table_id FROM moves AS resignation
        WHERE resignation.table_id IN (SELECT table_id FROM results WHERE departure = 'resigned')
        AND resignation.text = '!resign'
        AND (
            SELECT count(DISTINCT moves.seat) FROM moves
            WHERE moves.table_id = resignation.table_id
            AND moves.step < resignation.step AND moves.text NOT LIKE '!%'
        ) < (SELECT count(*) FROM seats WHERE seats.table_id = resignation.table_id)
    )
"""


def upgrade() -> None:
    change_results()
    create_ratings()
    create_boards()
    create_totals()
    create_encounters()
    create_seasons()


def change_results() -> None:
    for name in ("had_substitute", "resigned_early"):
        op.add_column("results", sa.Column(name, sa.Boolean, nullable=False, server_default=sa.false()))
    op.add_column("results", sa.Column("counted_at", TIME))
    op.execute(MARK_SUBSTITUTES)
    op.execute(MARK_EARLY_RESIGNATIONS)
    op.drop_index("results_ranked", "results")
    op.drop_index("results_of_people", "results")
    newest = ["finished_at", "table_id"]
    create_index("results_of_people", "results", ["user_id", "guild_id", *newest, "channel_id"], "user_id IS NOT NULL")
    create_index(
        "results_alone", "results", ["user_id", "guild_id", "game", *newest], "company = 'alone' AND NOT used_hints"
    )


def create_ratings() -> None:
    op.create_table(
        "ratings",
        *(id_column("guild_id"), sa.Column("game", sa.Text, primary_key=True), id_column("user_id")),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("counted_at", TIME),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "rating_changes",
        sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Double, nullable=False) for name in ("mu_before", "sigma_before", "mu", "sigma")),
        sa.Column("finished_at", TIME, nullable=False),
        sqlite_with_rowid=False,
    )
    columns = ["user_id", "guild_id", "game", "finished_at", "table_id", "number"]
    op.create_index("rating_changes_of_people", "rating_changes", columns)


def create_boards() -> None:
    op.create_table(
        "boards",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer(), "sqlite"), primary_key=True),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("game", "company", "period")),
    )
    op.create_index("boards_of", "boards", ["guild_id", "game", "company", "period"], unique=True)
    op.create_index("boards_in", "boards", ["period", "guild_id"])


def create_totals() -> None:
    op.create_table(
        "totals",
        sa.Column("board_id", sa.BigInteger, sa.ForeignKey("boards.id"), primary_key=True, autoincrement=False),
        id_column("user_id"),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("games", "wins", "shared_wins")),
        sa.Column("points", sa.BigInteger, nullable=False),
        *(sa.Column(name, sa.Integer) for name in ("highest", "lowest")),
        *(sa.Column(name, sa.Integer, nullable=False) for name in ("streak", "longest_streak")),
        sa.Column("rating", sa.Integer),
        sa.Column("rated_games", sa.Integer, nullable=False),
        *(sa.Column(name, sa.Double, nullable=False) for name in ("share", "average")),
        sa.Column("is_lifetime", sa.Boolean, nullable=False),
        sqlite_with_rowid=False,
    )
    wins, points, highest, average, rating = (
        sa.text(f"{name} DESC") for name in ("wins", "points", "highest", "average", "rating")
    )
    create_index("totals_by_wins", "totals", ["board_id", wins, sa.text("share DESC"), "user_id"])
    create_index("totals_by_points", "totals", ["board_id", points, "user_id"])
    create_index("totals_by_highest", "totals", ["board_id", highest, average, "user_id"], "highest IS NOT NULL")
    create_index("totals_by_lowest", "totals", ["board_id", "lowest", "average", "user_id"], "lowest IS NOT NULL")
    create_index("totals_by_rating", "totals", ["board_id", rating, "user_id"], "rating IS NOT NULL")
    create_index("totals_of_people", "totals", ["user_id", "board_id"], "is_lifetime")


def create_encounters() -> None:
    op.create_table(
        "played_days",
        *(id_column("guild_id"), id_column("channel_id"), id_column("day", sa.Integer)),
        sa.Column("tables", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "encounters",
        *(id_column("guild_id"), id_column("user_id"), id_column("other_id")),
        sa.Column("finished_at", TIME, primary_key=True),
        sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("outcome", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )


def create_seasons() -> None:
    op.create_table(
        "seasons",
        *(id_column("guild_id"), sa.Column("period", sa.Text, primary_key=True)),
        sa.Column("ended_at", TIME, nullable=False),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "season_champions",
        id_column("guild_id"),
        *(sa.Column(name, sa.Text, primary_key=True) for name in ("period", "game")),
        id_column("user_id"),
        *(sa.Column(name, sa.Text, nullable=False) for name in ("name", "by")),
        sa.Column("value", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )


def id_column(name: str, kind: type[sa.types.TypeEngine[int]] = sa.BigInteger) -> sa.Column[int]:
    return sa.Column(name, kind, primary_key=True, autoincrement=False)


def create_index(name: str, table: str, columns: list[str | sa.TextClause], where: str | None = None) -> None:
    condition = None if where is None else sa.text(where)
    op.create_index(name, table, columns, sqlite_where=condition, postgresql_where=condition)
