"""The database schema, as SQLAlchemy Core tables."""

from datetime import UTC, datetime

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    DateTime,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    TextClause,
    TypeDecorator,
    false,
    text,
    true,
)
from sqlalchemy.engine.interfaces import Dialect
from sqlalchemy.schema import SchemaItem

from bot.tables.model import Status


class UtcDateTime(TypeDecorator[datetime]):
    """A time stored in UTC and returned with its time zone, which SQLite alone would lose."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Convert a time to UTC.

        Raises:
            ValueError: The time has no zone.
        """
        if value is not None and value.tzinfo is None:
            raise ValueError("a time without a zone can't be stored")
        return value and value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Add the zone that SQLite does not store."""
        if value is not None and value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        return value and value.astimezone(UTC)


# SQLite uses a partial index only for a condition of exactly the same text, so these contain no parameters.
IS_OPEN = text("status IN ({})".format(", ".join(f"'{status}'" for status in Status if status.is_open)))
IS_ASIDE = text("status IN ({})".format(", ".join(f"'{status}'" for status in Status if status.is_aside)))
IS_UNFINISHED = text("status IN ({})".format(", ".join(f"'{status}'" for status in Status if status.is_unfinished)))
IS_LOBBY = text("status = 'lobby'")
IS_UNSHOWN = text("published < revision")
IS_PERSON = text("user_id IS NOT NULL")
IS_FIRST_SEAT = text("seat = 0")
IS_CONTINUATION = text("first_id IS NOT NULL AND status NOT IN ('cancelled', 'expired', 'abandoned')")
AWAITS_COMPUTER = text("awaits_computer")
AWAITS_PERSON = text("status = 'playing' AND NOT awaits_computer AND solo_id = 0 AND guild_id IS NOT NULL")
STANDS = text("stands")

metadata = MetaData()


def _partial_index(name: str, *columns: str, where: TextClause, unique: bool = False) -> Index:
    return Index(name, *columns, unique=unique, sqlite_where=where, postgresql_where=where)


def _rowless_table(name: str, *items: SchemaItem) -> Table:
    """Return a table that SQLite stores by its primary key."""
    return Table(name, metadata, *items, sqlite_with_rowid=False)


def _table_id_column() -> Column[int]:
    return Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False)


tables = Table(
    "tables",
    metadata,
    # SQLite autoincrements only a plain INTEGER.
    Column("id", BigInteger().with_variant(Integer(), "sqlite"), primary_key=True),
    Column("game", Text, nullable=False),
    Column("version", Integer, nullable=False),
    Column("options", Text, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("solo_id", BigInteger, nullable=False),
    Column("opener_id", BigInteger, nullable=False),
    Column("seed", LargeBinary, nullable=False),
    Column("salt", Text, nullable=False),
    Column("created_at", UtcDateTime, nullable=False),
    Column("status", Text, nullable=False),
    Column("step", Integer, nullable=False),
    Column("to_move", Integer),
    Column("revision", Integer, nullable=False),
    Column("published", Integer, nullable=False),
    Column("message_id", BigInteger),
    Column("updated_at", UtcDateTime, nullable=False),
    Column("awaits_computer", Boolean, nullable=False, server_default=false()),
    Column("awaited_since", UtcDateTime, nullable=False, server_default="1970-01-01 00:00:00.000000"),
    Column("lobby_click_id", BigInteger),
    # The link to the first table of a series.
    Column("first_id", BigInteger),
    Column("link_kind", Text),
    Column("part", Integer),
    Column("carried", Text),
    Column("computer_level", Text),
    Column("allows_hints", Boolean, nullable=False, server_default=true()),
    # The seats that have used hints: bit n is set for seat n.
    Column("hinted", Integer, nullable=False, server_default="0"),
    # At most one table per part of a series.
    _partial_index("tables_linked", "first_id", "link_kind", "part", unique=True, where=IS_CONTINUATION),
    # At most one open table per channel, and one solo game per person and channel.
    _partial_index("tables_open", "channel_id", "solo_id", unique=True, where=IS_OPEN),
    # Counts a person's open tables.
    _partial_index("tables_opened", "opener_id", "guild_id", where=IS_OPEN),
    Index("tables_in", "channel_id", "solo_id", "id"),
    _partial_index("tables_aside", "channel_id", "id", where=IS_ASIDE),
    # Finds idle tables to announce and close.
    _partial_index("tables_silent", "updated_at", "id", where=IS_UNFINISHED),
    _partial_index("tables_in_lobby", "id", where=IS_LOBBY),
    _partial_index("tables_unshown", "id", where=IS_UNSHOWN),
    _partial_index("tables_awaiting", "id", where=AWAITS_COMPUTER),
    # Finds due reminders.
    _partial_index("tables_awaited", "awaited_since", "id", where=AWAITS_PERSON),
    # Ids are never reused: an old button must not reach a newer table.
    sqlite_autoincrement=True,
)

# Without row ids a table's rows are adjacent: adding one touches one page, loading them is one scan.
seats = _rowless_table(
    "seats",
    _table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("user_id", BigInteger),
    Column("level", Text),
    Column("contribution", Text, nullable=False),
)

moves = _rowless_table(
    "moves",
    _table_id_column(),
    # The primary key makes one of two concurrent writers fail.
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("click_id", BigInteger),
    Column("at", UtcDateTime, nullable=False),
)

# The table's columns that queries filter by are repeated in each result, so that each query uses one index.
results = _rowless_table(
    "results",
    _table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("company", Text, nullable=False),
    Column("guild_id", BigInteger),
    Column("channel_id", BigInteger, nullable=False),
    Column("user_id", BigInteger),
    Column("name", Text, nullable=False),
    Column("level", Text),
    Column("place", Integer, nullable=False),
    Column("is_shared", Boolean, nullable=False),
    Column("score", Integer, nullable=False),
    Column("seats", Integer, nullable=False),
    Column("steps", Integer, nullable=False),
    Column("opened_at", UtcDateTime, nullable=False),
    Column("finished_at", UtcDateTime, nullable=False),
    Column("reason", Text, nullable=False),
    Column("departure", Text),
    Column("used_hints", Boolean, nullable=False, server_default=false()),
    # For leaderboards. The server is not the first column, or SQLite would use this index for one person's results too.
    _partial_index(
        "results_ranked",
        *("game", "company", "guild_id", "user_id", "place", "score", "is_shared", "reason", "used_hints"),
        where=IS_PERSON,
    ),
    # For profiles and people's newest names.
    _partial_index("results_of_people", "user_id", "guild_id", "finished_at", "table_id", where=IS_PERSON),
    # For a server's history.
    _partial_index("results_of_tables", "guild_id", "channel_id", "finished_at", "table_id", where=IS_FIRST_SEAT),
)

invitations = _rowless_table(
    "invitations",
    _table_id_column(),
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("click_id", BigInteger, nullable=False),
    Column("inviter_id", BigInteger, nullable=False, server_default="0"),
    Column("most_seats", Integer, nullable=False, server_default="0"),
    Column("noted_at", UtcDateTime, nullable=False, server_default="1970-01-01 00:00:00.000000"),
    Column("message_id", BigInteger),
    # Whether the message may still be in the channel.
    Column("stands", Boolean, nullable=False, server_default=false()),
    Index("invitations_by", "inviter_id", "user_id"),
    _partial_index("invitations_standing", "table_id", where=STANDS),
)

# The people who refuse all invitations.
invitation_refusals = _rowless_table(
    "invitation_refusals",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
)

# The primary key decides which of two processes sends a reminder.
reminders = _rowless_table(
    "reminders",
    _table_id_column(),
    Column("seat", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("noted_at", UtcDateTime, nullable=False),
    Column("message_id", BigInteger),
    Column("stands", Boolean, nullable=False),
)

# The primary key decides which of two processes sends an announcement.
announcements = _rowless_table(
    "announcements",
    _table_id_column(),
    Column("since", UtcDateTime, nullable=False),
    Column("noted_at", UtcDateTime, nullable=False),
    Column("message_id", BigInteger),
)

# Scopes with default preferences may have no row. A scope is a server, or a direct message channel.
preferences = _rowless_table(
    "preferences",
    Column("scope_id", BigInteger, primary_key=True, autoincrement=False),
    # NULL means text only.
    Column("theme", Text),
    Column("reminds", Boolean, nullable=False),
    Column("invites", Boolean, nullable=False, server_default=true()),
    Column("tips", Boolean, nullable=False, server_default=true()),
    Column("hints", Boolean, nullable=False, server_default=true()),
)

# People with default preferences may have no row.
personal_preferences = _rowless_table(
    "personal_preferences",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("tips", Boolean, nullable=False),
    Column("reads_aloud", Boolean, nullable=False),
)

# The animations of finished games that were shared.
animations = Table(
    "animations",
    metadata,
    Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("file", LargeBinary, nullable=False),
)

# The reviews of finished games that somebody asked for, as JSON.
reviews = Table(
    "reviews",
    metadata,
    Column("table_id", BigInteger, ForeignKey("tables.id"), primary_key=True, autoincrement=False),
    Column("review", Text, nullable=False),
)

# The first answers to daily puzzles; the primary key decides which answer of a day counts.
daily_answers = _rowless_table(
    "daily_answers",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    # Days since 1970-01-01, UTC.
    Column("day", Integer, primary_key=True, autoincrement=False),
    Column("game", Text, nullable=False),
    Column("puzzle", Text, nullable=False),
    Column("choice", Integer, nullable=False),
    Column("is_right", Boolean, nullable=False),
    Column("guild_id", BigInteger),
    Column("name", Text, nullable=False),
    Column("answered_at", UtcDateTime, nullable=False),
    # For the board and the streak of a server.
    Index("daily_answers_in", "guild_id", "day", "is_right", "user_id"),
)

# The first answers to all other puzzles.
puzzle_answers = _rowless_table(
    "puzzle_answers",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("game", Text, primary_key=True),
    Column("puzzle", Text, primary_key=True),
    Column("is_right", Boolean, nullable=False),
    Column("answered_at", UtcDateTime, nullable=False),
)

notes = _rowless_table(
    "notes",
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)
