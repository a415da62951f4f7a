"""The SQL tables for tables, seats and moves, and the conversion between rows and objects."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, fields
from functools import lru_cache
from operator import attrgetter
from typing import Any, Final, TypeVar

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    Table,
    Text,
    false,
    text,
    true,
)

from bot.platform.database.sql import (
    AnyRow,
    UtcDateTime,
    Values,
    metadata,
    partial_index,
    rowless_table,
    table_id_column,
)
from bot.platform.places import Location
from bot.rules.game import Seat
from bot.tables.model import (
    ClockState,
    ClosedBy,
    Entry,
    Header,
    Occupant,
    Pace,
    SeriesLink,
    SeriesLinkKind,
    Status,
    TableId,
    TurnClock,
)
from bot.words import N_

ModelT = TypeVar("ModelT")

DELETED_NAME: Final = N_("Deleted player")
"""The name in the seats of people who deleted their data."""

FORMER_NAME: Final = N_("Former player")
"""The name in the seats of people whose names were deleted after a long absence."""

# SQLite uses a partial index only if a query repeats its condition word for word, so these have no parameters.
IS_OPEN = text("status IN ({})".format(", ".join(f"'{status}'" for status in Status if status.is_open)))
HAS_PLACE = text(f"{IS_OPEN.text} AND NOT is_private")
IS_ASIDE = text("status IN ({})".format(", ".join(f"'{status}'" for status in Status if status.is_aside)))
IS_UNFINISHED = text("status IN ({})".format(", ".join(f"'{status}'" for status in Status if status.is_unfinished)))
IS_LOBBY = text("status = 'lobby'")
IS_UNSHOWN = text("published < revision")
IS_CONTINUATION = text("first_id IS NOT NULL AND status NOT IN ('cancelled', 'expired', 'abandoned')")
AWAITS_COMPUTER = text("awaits_computer")
HAS_PERSON = text("user_id IS NOT NULL")
AWAITS_PERSON = text("status = 'playing' AND NOT awaits_computer AND solo_id = 0 AND guild_id IS NOT NULL")

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
    Column("allows_hints", Boolean, nullable=False, server_default=true()),
    # The pace of computer players.
    Column("pace", Text, nullable=False, server_default="calm"),
    # The seats that have used hints: bit n is set for seat n.
    Column("hinted", Integer, nullable=False, server_default="0"),
    # Whether only its player sees it.
    Column("is_private", Boolean, nullable=False, server_default=false()),
    # The turn clock: its limit, the end of the present turn's time, and whether that time is up.
    Column("clock", Text, nullable=False, server_default="none"),
    Column("clock_ends_at", UtcDateTime),
    Column("is_time_up", Boolean, nullable=False, server_default=false()),
    # Whether the channel is a thread that the bot has opened for the table.
    Column("is_own_thread", Boolean, nullable=False, server_default=false()),
    # Whether the bot is not in the channel.
    Column("is_outside", Boolean, nullable=False, server_default=false()),
    # The ids of people removed from the lobby, separated by spaces; empty once the game has started.
    Column("kicked", Text, nullable=False, server_default=""),
    # The ids of people for whom the lobby keeps seats, in the same form.
    Column("kept", Text, nullable=False, server_default=""),
    # The person who cancelled the table alone: its opener or a moderator.
    Column("closed_by", Text),
    # At most one table per part of a series.
    partial_index("tables_linked", "first_id", "link_kind", "part", unique=True, where=IS_CONTINUATION),
    # At most one open table per channel, and one solo game per person and channel.
    partial_index("tables_open", "channel_id", "solo_id", unique=True, where=HAS_PLACE),
    # Counts a person's open tables.
    partial_index("tables_opened", "opener_id", "guild_id", where=IS_OPEN),
    # Lists and counts the open tables of a server. The second column makes SQLite prefer it to `tables_of_servers`.
    partial_index("tables_open_in", "guild_id", "is_private", where=HAS_PLACE),
    Index("tables_in", "channel_id", "solo_id", "id"),
    # Finds all servers, and the tables of a server that the bot has left.
    Index("tables_of_servers", "guild_id"),
    partial_index("tables_aside", "channel_id", "id", where=IS_ASIDE),
    # Finds idle tables to announce and close.
    partial_index("tables_idle", "updated_at", "id", where=IS_UNFINISHED),
    partial_index("tables_in_lobby", "id", where=IS_LOBBY),
    partial_index("tables_unshown", "id", where=IS_UNSHOWN),
    partial_index("tables_awaiting", "id", where=AWAITS_COMPUTER),
    # Finds due reminders.
    partial_index("tables_awaited", "awaited_since", "id", where=AWAITS_PERSON),
    # Ids are never reused: an old button must not reach a newer table.
    sqlite_autoincrement=True,
)

# Without row ids a table's rows are adjacent: adding a row touches one page, loading all of them is one scan.
seats = rowless_table(
    "seats",
    table_id_column(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False),
    Column("user_id", BigInteger),
    Column("level", Text),
    Column("contribution", Text, nullable=False),
    # Finds a person's tables.
    partial_index("seats_of", "user_id", "table_id", where=HAS_PERSON),
)

moves = rowless_table(
    "moves",
    table_id_column(),
    # The primary key makes one of two concurrent writers fail.
    Column("step", Integer, primary_key=True, autoincrement=False),
    Column("seat", Integer, nullable=False),
    Column("text", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("click_id", BigInteger),
    Column("at", UtcDateTime, nullable=False),
)

# The primary key lets a person have each badge once, from the first table that earned it. It refers to no table,
# because people keep their badges when a table is deleted.
badges_earned = rowless_table(
    "badges_earned",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("badge", Text, primary_key=True),
    Column("table_id", BigInteger, nullable=False),
    Column("earned_at", UtcDateTime, nullable=False),
    Column("guild_id", BigInteger),
    # For the line at the end of a table.
    Index("badges_earned_at_tables", "table_id"),
    # Finds the servers with any stored data.
    Index("badges_earned_in", "guild_id"),
)

# The moves of compacted tables, which have no rows in `moves` (`bot.tables.compaction`).
compacted_moves = Table(
    "compacted_moves",
    metadata,
    # SQLite stores long rows side by side only in tables with row ids, which need a plain INTEGER as their key.
    Column(
        "table_id",
        BigInteger().with_variant(Integer(), "sqlite"),
        ForeignKey("tables.id"),
        primary_key=True,
        autoincrement=False,
    ),
    Column("entries", LargeBinary, nullable=False),
)


def new_table_values(header: Header) -> Values:
    """Return the row of a new table, without its id."""
    link = header.link
    return {
        "game": header.game,
        "version": header.version,
        "guild_id": header.location.guild_id,
        "channel_id": header.location.channel_id,
        "is_own_thread": header.location.is_own_thread,
        "is_outside": header.location.is_outside,
        "seed": header.seed,
        "created_at": header.created_at,
        "published": header.published,
        "message_id": header.message_id,
        "is_private": header.is_private,
        "first_id": link and link.first_id,
        "link_kind": link and link.kind.value,
        "part": link and link.part,
        "carried": None if link is None else " ".join(map(str, link.carried)),
        **changed_table_values(header),
    }


def changed_table_values(header: Header) -> Values:
    """Return the columns that a save changes."""
    return {
        "solo_id": header.location.solo_id,
        "opener_id": header.opener_id,
        "options": header.options,
        "salt": header.salt,
        "status": header.status.value,
        "lobby_click_id": header.lobby_click_id,
        "allows_hints": header.allows_hints,
        "pace": header.pace.value,
        "hinted": sum(1 << seat for seat in header.hinted),
        "kicked": _join_ids(header.kicked),
        "kept": _join_ids(header.kept),
        "closed_by": header.closed_by and header.closed_by.value,
        **moved_table_values(header),
        # A table that starts without a clock never gets one.
        **(_clock_values(header.clock) if not header.step else {}),
    }


def moved_table_values(header: Header) -> Values:
    """Return the columns that an entry changes while the game goes on.

    SQLite rewrites every index on a column that an UPDATE names, changed or not. With all columns that a save may
    change, a move would write 7 pages instead of 5.
    """
    return {
        "step": header.step,
        "to_move": header.to_move,
        "awaits_computer": header.awaits_computer,
        "revision": header.revision,
        "updated_at": header.updated_at,
        "awaited_since": header.awaited_since,
        **(_clock_values(header.clock) if header.clock.limit is not TurnClock.NONE else {}),
    }


def _join_ids(people: Iterable[int]) -> str:
    """Return ids surrounded by spaces, so that queries can find each one."""
    return "".join(f" {user_id} " for user_id in sorted(people))


def _clock_values(clock: ClockState) -> Values:
    return {"clock": clock.limit.value, "clock_ends_at": clock.ends_at, "is_time_up": clock.is_up}


def seat_values(table_id: TableId, seat: Seat, occupant: Occupant) -> Values:
    """Return the row of a seat."""
    return {"table_id": table_id, "seat": seat, **asdict(occupant)}


def move_values(table_id: TableId, entry: Entry) -> Values:
    """Return the row of a move."""
    # Written out because `asdict` copies every value, which costs 19 us per saved move.
    return {
        "table_id": table_id,
        "step": entry.step,
        "seat": entry.seat,
        "text": entry.text,
        "digest": entry.digest,
        "click_id": entry.click_id,
        "at": entry.at,
    }


def header_of(row: AnyRow) -> Header:
    """Return the header in a row."""
    link = None
    if row.first_id is not None:
        carried = tuple(map(int, row.carried.split()))
        link = SeriesLink(row.first_id, SeriesLinkKind(row.link_kind), row.part, carried)
    status = Status(row.status)
    hinted = frozenset(seat for seat in range(row.hinted.bit_length()) if row.hinted >> seat & 1)
    clock = ClockState(TurnClock(row.clock), row.clock_ends_at, row.is_time_up)
    return read_row(
        Header,
        row,
        location=location_of(row),
        status=status,
        link=link,
        pace=Pace(row.pace),
        hinted=hinted,
        clock=clock,
        kicked=frozenset(map(int, row.kicked.split())),
        kept=frozenset(map(int, row.kept.split())),
        closed_by=None if row.closed_by is None else ClosedBy(row.closed_by),
    )


def location_of(row: Any) -> Location:
    """Return the location of a table from the columns of its row."""
    return Location(row.guild_id, row.channel_id, row.solo_id, row.is_own_thread, row.is_outside)


def occupant_of(row: AnyRow) -> Occupant:
    """Return the occupant in a row."""
    return Occupant(row.name, row.user_id, row.level, row.contribution)


def entry_of(row: AnyRow) -> Entry:
    """Return the entry in a row."""
    return Entry(row.step, row.seat, row.text, row.digest, row.click_id, row.at)


def read_row(model: type[ModelT], row: AnyRow, **converted: Any) -> ModelT:
    """Return a model instance whose fields come from the columns of the same names, except the converted ones."""
    kind: Any = model
    names, read = _plain_fields(kind, tuple(converted))
    return model(**dict(zip(names, read(row), strict=True)), **converted)


@lru_cache(maxsize=256)
def _plain_fields(model: type[Any], converted: tuple[str, ...]) -> tuple[tuple[str, ...], Callable[[AnyRow], Any]]:
    """Return the names of a model's unconverted fields, and a function that reads all of them from a row."""
    names = tuple(field.name for field in fields(model) if field.name not in converted)
    return names, attrgetter(*names)
