"""Create all tables."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

TIME = sa.DateTime(timezone=True)
# SQLite numbers rows automatically only in a plain INTEGER.
SERIAL = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

IS_OPEN = "status IN ('lobby', 'playing', 'held')"
HAS_PERSON = "user_id IS NOT NULL"


def upgrade() -> None:
    create_tables()
    create_results()
    create_challenges_and_puzzles()
    create_badges_and_tournaments()
    create_notifications_and_pings()
    create_blocks_and_settings()
    create_jobs_and_shards()


def create_tables() -> None:
    op.create_table(
        "tables",
        sa.Column("id", SERIAL, primary_key=True),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("solo_id", sa.BigInteger, nullable=False),
        sa.Column("opener_id", sa.BigInteger, nullable=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("salt", sa.Text, nullable=False),
        sa.Column("created_at", TIME, nullable=False),
        sa.Column("status", sa.Text, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("to_move", sa.Integer),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("published", sa.Integer, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("updated_at", TIME, nullable=False),
        sa.Column("awaits_computer", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("awaited_since", TIME, nullable=False, server_default="1970-01-01 00:00:00.000000"),
        sa.Column("lobby_click_id", sa.BigInteger),
        sa.Column("first_id", sa.BigInteger),
        sa.Column("link_kind", sa.Text),
        sa.Column("part", sa.Integer),
        sa.Column("carried", sa.Text),
        sa.Column("allows_hints", sa.Boolean, nullable=False, server_default=sa.true()),
        sa.Column("pace", sa.Text, nullable=False, server_default="calm"),
        sa.Column("hinted", sa.Integer, nullable=False, server_default="0"),
        sa.Column("is_private", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("clock", sa.Text, nullable=False, server_default="none"),
        sa.Column("clock_ends_at", TIME),
        sa.Column("is_time_up", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("is_own_thread", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("is_outside", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("kicked", sa.Text, nullable=False, server_default=""),
        sa.Column("kept", sa.Text, nullable=False, server_default=""),
        sa.Column("closed_by", sa.Text),
        index(
            "tables_linked",
            "first_id, link_kind, part",
            "first_id IS NOT NULL AND status NOT IN ('cancelled', 'expired', 'abandoned')",
            unique=True,
        ),
        index("tables_open", "channel_id, solo_id", f"{IS_OPEN} AND NOT is_private", unique=True),
        index("tables_opened", "opener_id, guild_id", IS_OPEN),
        index("tables_open_in", "guild_id, is_private", f"{IS_OPEN} AND NOT is_private"),
        index("tables_in", "channel_id, solo_id, id"),
        index("tables_of_servers", "guild_id"),
        index("tables_aside", "channel_id, id", "status IN ('aside', 'held_aside')"),
        index("tables_idle", "updated_at, id", "status IN ('playing', 'held', 'aside', 'held_aside')"),
        index("tables_in_lobby", "id", "status = 'lobby'"),
        index("tables_unshown", "id", "published < revision"),
        index("tables_awaiting", "id", "awaits_computer"),
        index(
            "tables_awaited",
            "awaited_since, id",
            "status = 'playing' AND NOT awaits_computer AND solo_id = 0 AND guild_id IS NOT NULL",
        ),
        sqlite_autoincrement=True,
    )
    create_rowless_table(
        "seats",
        table_id_column(),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("level", sa.Text),
        sa.Column("contribution", sa.Text, nullable=False),
        index("seats_of", "user_id, table_id", HAS_PERSON),
    )
    create_rowless_table(
        "moves",
        table_id_column(),
        sa.Column("step", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("click_id", sa.BigInteger),
        sa.Column("at", TIME, nullable=False),
    )
    op.create_table(
        "compacted_moves",
        sa.Column("table_id", SERIAL, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False),
        sa.Column("entries", sa.LargeBinary, nullable=False),
    )


def create_results() -> None:
    create_rowless_table(
        "results",
        table_id_column(),
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
        sa.Column("opened_at", TIME, nullable=False),
        sa.Column("finished_at", TIME, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("departure", sa.Text),
        sa.Column("used_hints", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("had_substitute", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("resigned_early", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("counted_at", TIME),
        index("results_of_people", "user_id, guild_id, finished_at, table_id, channel_id", HAS_PERSON),
        index(
            "results_alone", "user_id, guild_id, game, finished_at, table_id", "company = 'alone' AND NOT used_hints"
        ),
        index("results_of_tables", "guild_id, channel_id, finished_at, table_id", "seat = 0"),
        index(
            "results_for_badges",
            "user_id, game, company, finished_at, place, departure, used_hints, reason",
            "user_id IS NOT NULL AND departure IS NULL AND reason <> 'resigned'",
        ),
    )
    op.create_table(
        "animations",
        table_id_column(),
        sa.Column("language", sa.Text, nullable=False),
        sa.Column("theme", sa.Text, nullable=False),
        sa.Column("file", sa.LargeBinary, nullable=False),
    )
    op.create_table("reviews", table_id_column(), sa.Column("review", sa.Text, nullable=False))
    create_rowless_table(
        "ratings",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("counted_at", TIME),
    )
    create_rowless_table(
        "rating_changes",
        table_id_column(),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("mu_before", sa.Double, nullable=False),
        sa.Column("sigma_before", sa.Double, nullable=False),
        sa.Column("mu", sa.Double, nullable=False),
        sa.Column("sigma", sa.Double, nullable=False),
        sa.Column("finished_at", TIME, nullable=False),
        index("rating_changes_of_people", "user_id, guild_id, game, finished_at, table_id, number"),
    )
    op.create_table(
        "boards",
        sa.Column("id", SERIAL, primary_key=True),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("company", sa.Text, nullable=False),
        sa.Column("period", sa.Text, nullable=False),
        index("boards_of", "guild_id, game, company, period", unique=True),
        index("boards_in", "period, guild_id"),
    )
    create_rowless_table(
        "totals",
        sa.Column("board_id", sa.BigInteger, sa.ForeignKey("boards.id"), primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("games", sa.Integer, nullable=False),
        sa.Column("wins", sa.Integer, nullable=False),
        sa.Column("shared_wins", sa.Integer, nullable=False),
        sa.Column("points", sa.BigInteger, nullable=False),
        sa.Column("highest", sa.Integer),
        sa.Column("lowest", sa.Integer),
        sa.Column("streak", sa.Integer, nullable=False),
        sa.Column("longest_streak", sa.Integer, nullable=False),
        sa.Column("rating", sa.Integer),
        sa.Column("rated_games", sa.Integer, nullable=False),
        sa.Column("share", sa.Double, nullable=False),
        sa.Column("average", sa.Double, nullable=False),
        sa.Column("is_lifetime", sa.Boolean, nullable=False),
        index("totals_by_wins", "board_id, wins DESC, share DESC, user_id"),
        index("totals_by_points", "board_id, points DESC, user_id"),
        index("totals_by_highest", "board_id, highest DESC, average DESC, user_id", "highest IS NOT NULL"),
        index("totals_by_lowest", "board_id, lowest, average, user_id", "lowest IS NOT NULL"),
        index("totals_by_rating", "board_id, rating DESC, user_id", "rating IS NOT NULL"),
        index("totals_of_people", "user_id, board_id", "is_lifetime"),
    )
    create_rowless_table(
        "played_days",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("channel_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("tables", sa.Integer, nullable=False),
    )
    create_rowless_table(
        "encounters",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("other_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("finished_at", TIME, primary_key=True),
        table_id_column(),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("outcome", sa.Integer, nullable=False),
    )
    create_rowless_table(
        "seasons",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("period", sa.Text, primary_key=True),
        sa.Column("ended_at", TIME, nullable=False),
    )
    create_rowless_table(
        "season_champions",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("period", sa.Text, primary_key=True),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("by", sa.Text, nullable=False),
        sa.Column("value", sa.Integer, nullable=False),
    )


def create_challenges_and_puzzles() -> None:
    create_rowless_table(
        "shared_seeds",
        sa.Column("cadence", sa.Text, primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seed", sa.LargeBinary, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("committed_at", TIME, nullable=False),
        sa.Column("published_at", TIME),
    )
    create_rowless_table(
        "attempts",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("cadence", sa.Text, primary_key=True),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("started_at", TIME, nullable=False),
        sa.Column("ended_at", TIME),
        sa.Column("score", sa.Integer),
        sa.Column("counted_on", sa.Integer),
        sa.Column("is_shown", sa.Boolean, nullable=False),
        index("attempts_at", "table_id", unique=True),
        index("attempts_open", "cadence, day, started_at", "ended_at IS NULL"),
        index("attempts_in", "guild_id, cadence, day, score, user_id", "score IS NOT NULL"),
        index("attempts_shown", "cadence, day, score, user_id, is_shown", "score IS NOT NULL AND is_shown"),
        index("attempts_scored", "cadence, day, score", "score IS NOT NULL"),
    )
    create_rowless_table(
        "streak_days",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
    )
    create_rowless_table(
        "board_consents",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("given_at", TIME, nullable=False),
    )
    create_rowless_table(
        "daily_posts",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("posted_on", sa.Integer, nullable=False),
        sa.Column("stopped", sa.Text),
        sa.Column("channel_id", sa.BigInteger),
    )
    create_rowless_table(
        "greetings",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("joined_at", TIME, nullable=False),
    )
    create_rowless_table(
        "daily_pings",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("hour", sa.Integer, nullable=False),
        sa.Column("zone", sa.Text, nullable=False),
        sa.Column("due_at", TIME, nullable=False),
        index("daily_pings_due", "due_at"),
    )
    create_rowless_table(
        "daily_answers",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("day", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("puzzle", sa.Text, nullable=False),
        sa.Column("choice", sa.Integer, nullable=False),
        sa.Column("is_right", sa.Boolean, nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("answered_at", TIME, nullable=False),
        index("daily_answers_in", "guild_id, day, is_right, user_id"),
    )
    create_rowless_table(
        "puzzle_answers",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("game", sa.Text, primary_key=True),
        sa.Column("puzzle", sa.Text, primary_key=True),
        sa.Column("is_right", sa.Boolean, nullable=False),
        sa.Column("answered_at", TIME, nullable=False),
    )


def create_badges_and_tournaments() -> None:
    create_rowless_table(
        "badges_earned",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("badge", sa.Text, primary_key=True),
        sa.Column("table_id", sa.BigInteger, nullable=False),
        sa.Column("earned_at", TIME, nullable=False),
        sa.Column("guild_id", sa.BigInteger),
        index("badges_earned_at_tables", "table_id"),
        index("badges_earned_in", "guild_id"),
    )
    op.create_table(
        "tournaments",
        sa.Column("id", SERIAL, primary_key=True),
        sa.Column("guild_id", sa.BigInteger, nullable=False),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("options", sa.Text, nullable=False),
        sa.Column("opener_id", sa.BigInteger, nullable=False),
        sa.Column("opener_name", sa.Text, nullable=False),
        sa.Column("opened_at", TIME, nullable=False),
        sa.Column("is_by_organizer", sa.Boolean, nullable=False),
        sa.Column("round_hours", sa.Integer, nullable=False),
        sa.Column("check_in_minutes", sa.Integer, nullable=False),
        sa.Column("is_checking_in", sa.Boolean, nullable=False),
        sa.Column("format", sa.Text),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("round", sa.Integer, nullable=False),
        sa.Column("rounds", sa.Integer, nullable=False),
        sa.Column("is_late", sa.Boolean, nullable=False),
        sa.Column("announced", sa.Integer, nullable=False),
        sa.Column("announced_in", sa.BigInteger),
        sa.Column("cancelled_by", sa.Text),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("busy_until", TIME),
        index("tournaments_in", "guild_id, id"),
        index("tournaments_in_channels", "channel_id"),
        sqlite_autoincrement=True,
    )
    create_rowless_table(
        "tournament_players",
        sa.Column("tournament_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("place", sa.Integer, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("click_id", sa.BigInteger, nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("has_withdrawn", sa.Boolean, nullable=False),
        sa.Column("has_checked_in", sa.Boolean, nullable=False),
        sa.Column("is_taken_out", sa.Boolean, nullable=False),
        index("tournament_players_by", "user_id"),
    )
    create_rowless_table(
        "tournament_offers",
        sa.Column("tournament_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("guest_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("offered_at", TIME, nullable=False),
        sa.Column("is_open", sa.Boolean, nullable=False),
        index("tournament_offers_to", "guest_id"),
    )
    create_rowless_table(
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
    )


def create_notifications_and_pings() -> None:
    create_rowless_table(
        "invitations",
        table_id_column(),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("noted_at", TIME, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("stands", sa.Boolean, nullable=False),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("inviter_id", sa.BigInteger, nullable=False),
        sa.Column("click_id", sa.BigInteger, nullable=False),
        sa.Column("most_seats", sa.Integer, nullable=False),
        index("invitations_by", "inviter_id, user_id"),
        index("invitations_standing", "table_id", "stands"),
    )
    create_rowless_table(
        "reminders",
        table_id_column(),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("noted_at", TIME, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("stands", sa.Boolean, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("step", sa.Integer, nullable=False),
        sa.Column("since", TIME, nullable=False),
        sa.Column("stage", sa.Text, nullable=False),
        sa.Column("send_at", TIME),
        sa.Column("user_id", sa.BigInteger),
        index("reminders_held", "send_at", "stands AND send_at IS NOT NULL"),
        index("reminders_standing", "user_id", "stands"),
    )
    create_rowless_table(
        "announcements",
        table_id_column(),
        sa.Column("channel_id", sa.BigInteger, nullable=False),
        sa.Column("noted_at", TIME, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("stands", sa.Boolean, nullable=False),
        sa.Column("since", TIME, nullable=False),
    )
    create_rowless_table(
        "pings",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("table_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("mode", sa.Text, nullable=False),
        sa.Column("delay", sa.Integer, nullable=False),
    )
    create_rowless_table(
        "ping_people",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("zone", sa.Text),
        sa.Column("quiet_from", sa.Integer),
        sa.Column("quiet_until", sa.Integer),
        sa.Column("refuses_direct", sa.Boolean, nullable=False, server_default=sa.false()),
    )


def create_blocks_and_settings() -> None:
    create_rowless_table(
        "blocks",
        sa.Column("blocker_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("blocked_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("blocked_at", TIME, nullable=False),
        index("blocks_of", "blocked_id"),
    )
    create_rowless_table(
        "bans",
        sa.Column("guild_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("by_id", sa.BigInteger),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("tells_reason", sa.Boolean, nullable=False),
        sa.Column("banned_at", TIME, nullable=False),
        sa.Column("ends_at", TIME),
        sa.Column("number", sa.Integer, nullable=False),
        index("bans_changed", "number"),
        index("bans_of", "user_id"),
        index("bans_by", "by_id", "by_id IS NOT NULL"),
    )
    create_rowless_table(
        "settings",
        sa.Column("scope_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("value", sa.Text, nullable=False),
        sa.Column("owner_id", sa.BigInteger),
        index("settings_of", "owner_id", "owner_id IS NOT NULL"),
    )
    create_rowless_table(
        "settings_changes",
        sa.Column("scope_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger),
        sa.Column("changed_at", TIME, nullable=False),
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        index("settings_changes_by", "user_id", HAS_PERSON),
    )


def create_jobs_and_shards() -> None:
    create_rowless_table(
        "jobs",
        sa.Column("kind", sa.Text, primary_key=True),
        sa.Column("key", sa.Text, primary_key=True),
        sa.Column("due_at", TIME, nullable=False),
        sa.Column("claimed_until", TIME),
        sa.Column("guild_id", sa.BigInteger),
        sa.Column("counts_from", TIME),
        index("jobs_due", "due_at"),
    )
    create_rowless_table(
        "downtimes",
        sa.Column("began_at", TIME, primary_key=True),
        sa.Column("ended_at", TIME, nullable=False),
        sa.Column("shard_count", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", sa.Integer, nullable=False),
    )
    create_rowless_table(
        "notes", sa.Column("key", sa.Text, primary_key=True), sa.Column("value", sa.Text, nullable=False)
    )
    create_rowless_table(
        "shard_leases",
        sa.Column("shard_count", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("owner", sa.Text, nullable=False),
        sa.Column("expires_at", TIME, nullable=False),
        sa.Column("is_ready", sa.Boolean, nullable=False),
    )
    create_rowless_table(
        "alive",
        sa.Column("shard_count", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("first", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("last", sa.Integer, nullable=False),
        sa.Column("noted_at", TIME, nullable=False),
    )
    create_rowless_table(
        "identifies",
        sa.Column("bucket", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("free_at", TIME, nullable=False),
    )


def create_rowless_table(name: str, *items: sa.Column[Any] | sa.Index) -> None:
    """Create a table that SQLite stores by its primary key."""
    op.create_table(name, *items, sqlite_with_rowid=False)


def table_id_column() -> sa.Column[int]:
    """Return a primary key column that refers to a table of a game."""
    return sa.Column("table_id", sa.BigInteger, sa.ForeignKey("tables.id"), primary_key=True, autoincrement=False)


def index(name: str, columns: str, where: str | None = None, *, unique: bool = False) -> sa.Index:
    """Return an index, limited to the rows that meet a condition if there is one."""
    parts: list[str | sa.ColumnElement[Any]] = [
        sa.desc(part.removesuffix(" DESC")) if part.endswith(" DESC") else part for part in columns.split(", ")
    ]
    condition = None if where is None else sa.text(where)
    return sa.Index(name, *parts, unique=unique, sqlite_where=condition, postgresql_where=condition)
