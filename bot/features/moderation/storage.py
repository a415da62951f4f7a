"""The SQL table of bans, its queries, and the check when people take seats."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Index,
    Integer,
    Text,
    and_,
    bindparam,
    delete,
    exists,
    func,
    insert,
    or_,
    select,
    text,
    update,
)

from bot.features.moderation.model import (
    Ban,
    ModerationReason,
    OpenTable,
)
from bot.platform.database.sql import (
    UtcDateTime,
    get_value,
    lock,
    notes,
    partial_index,
    rowless_table,
    set_value,
)
from bot.platform.jobs import storage as job_storage
from bot.platform.jobs.storage import Job
from bot.rules.refusals import Refusal
from bot.tables.events import Happened, NotTogether, TableEvent
from bot.tables.model import SeriesLinkKind, Status, TableId, people_in
from bot.tables.schema import (
    read_row,
    seats,
    tables,
)
from bot.tables.storage import (
    find_seat_names,
    is_open_in,
)
from bot.tables.table import Table

MOST_TABLES: Final = 500
"""The most open tables listed."""

BAN_KIND: Final = "ban"
"""The kind of the jobs that take banned members out of tables; the keys are the ids of server and member."""

_TRY_AGAIN_AFTER: Final = timedelta(minutes=1)
"""The time after a ban at which its job does what the command could not do."""

_NUMBER_LOCK: Final = -2
_NUMBER_KEY: Final = "bans"
"""The key of the note with the number of the newest change of any ban."""

bans = rowless_table(
    "bans",
    Column("guild_id", BigInteger, primary_key=True, autoincrement=False),
    # The id alone stays when the member deletes their data.
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    # NULL once the moderator is erased.
    Column("by_id", BigInteger),
    Column("reason", Text, nullable=False),
    Column("tells_reason", Boolean, nullable=False),
    Column("banned_at", UtcDateTime, nullable=False),
    Column("ends_at", UtcDateTime),
    # Rises with every change of any ban, so that processes read the changed rows alone.
    Column("number", Integer, nullable=False),
    Index("bans_changed", "number"),
    # For erasing a person.
    Index("bans_of", "user_id"),
    partial_index("bans_by", "by_id", where=text("by_id IS NOT NULL")),
)

_NOW = bindparam("now", type_=bans.c.ends_at.type)


def holds(now: ColumnElement[Any] = _NOW) -> ColumnElement[bool]:
    """Return the condition that a ban has not ended."""
    return or_(bans.c.ends_at.is_(None), bans.c.ends_at > now)


_IS_BAN: Final = and_(bans.c.guild_id == bindparam("guild"), bans.c.user_id == bindparam("user"))
_SELECT_ONE: Final = select(bans).where(_IS_BAN, holds())
_SELECT_IN_SERVER: Final = (
    select(bans).where(bans.c.guild_id == bindparam("guild"), holds()).order_by(bans.c.banned_at.desc(), bans.c.user_id)
)
_COUNT_OTHERS: Final = select(func.count()).where(
    bans.c.guild_id == bindparam("guild"), bans.c.user_id != bindparam("user"), holds()
)
SELECT_CHANGED: Final = (
    select(bans.c.guild_id, bans.c.user_id, bans.c.ends_at, bans.c.number)
    .where(bans.c.number > bindparam("seen"))
    .order_by(bans.c.number)
    .limit(bindparam("most"))
)
SELECT_BANNED_AMONG: Final = select(bans.c.user_id).where(
    bans.c.guild_id == bindparam("guild"), bans.c.user_id.in_(bindparam("people", expanding=True)), holds()
)
_OPEN_IDS: Final = select(tables.c.id).where(is_open_in(bindparam("guild")))
SELECT_TABLES_OF: Final = (
    select(seats.c.table_id)
    .where(seats.c.user_id == bindparam("user"), seats.c.table_id.in_(_OPEN_IDS))
    .order_by(seats.c.table_id)
)
SELECT_OPEN_TABLES: Final = (
    select(
        *(tables.c[name] for name in ("id", "game", "guild_id", "channel_id", "message_id", "status", "created_at")),
        tables.c.link_kind,
    )
    .where(tables.c.id.in_(_OPEN_IDS))
    .order_by(tables.c.id)
    .limit(MOST_TABLES)
)
_DELETE: Final = delete(bans).where(_IS_BAN)
_INSERT: Final = insert(bans)
_LIFT: Final = update(bans).where(_IS_BAN, holds()).values(ends_at=_NOW, number=bindparam("new_number", type_=Integer))
_DELETE_ENDED: Final = delete(bans).where(bans.c.ends_at <= _NOW)

HAS_CHANGED: Final = exists().where(notes.c.key == _NUMBER_KEY, notes.c.value != bindparam("bans_seen"))
"""Whether bans have changed since a number."""


class ChangedBan(NamedTuple):
    """A changed ban; it has ended if its end is over."""

    guild_id: int
    user_id: int
    ends_at: datetime | None
    number: int


def read_number(connection: Connection) -> int:
    """Return the number of the newest change of any ban."""
    return int(get_value(connection, _NUMBER_KEY) or 0)


def _next_number(connection: Connection) -> int:
    """Return the number of a new change. The lock makes numbers rise in the order in which they are committed."""
    lock(connection, _NUMBER_LOCK)
    number = read_number(connection) + 1
    set_value(connection, _NUMBER_KEY, str(number))
    return number


def add(connection: Connection, ban: Ban, most: int) -> bool:
    """Store a ban in the place of an earlier one, and its job; return False if the server has too many."""
    lock(connection, ban.guild_id)
    key = {"guild": ban.guild_id, "user": ban.user_id}
    others: int = connection.execute(_COUNT_OTHERS, {**key, "now": ban.banned_at}).scalar_one()
    if others >= most:
        return False
    connection.execute(_DELETE, key)
    connection.execute(_INSERT, {**asdict(ban), "number": _next_number(connection)})
    _plan_removal(connection, ban.guild_id, ban.user_id, ban.banned_at + _TRY_AGAIN_AFTER)
    return True


def _plan_removal(connection: Connection, guild_id: int, user_id: int, due_at: datetime) -> None:
    job_storage.put(connection, Job(BAN_KIND, f"{guild_id}:{user_id}", due_at, guild_id=guild_id))


def lift(connection: Connection, guild_id: int, user_id: int, now: datetime) -> bool:
    """End a ban; return whether there was one."""
    key = {"guild": guild_id, "user": user_id, "now": now}
    if connection.execute(_SELECT_ONE, key).first() is None:
        return False
    return connection.execute(_LIFT, {**key, "new_number": _next_number(connection)}).rowcount > 0


def find(connection: Connection, guild_id: int, user_id: int, now: datetime) -> Ban | None:
    """Return the ban of a member, or None."""
    row = connection.execute(_SELECT_ONE, {"guild": guild_id, "user": user_id, "now": now}).one_or_none()
    return None if row is None else read_row(Ban, row)


def find_in_server(connection: Connection, guild_id: int, now: datetime) -> Sequence[Ban]:
    """Return the bans in a server, newest first."""
    found = connection.execute(_SELECT_IN_SERVER, {"guild": guild_id, "now": now})
    return [read_row(Ban, row) for row in found]


def find_changed(connection: Connection, seen: int, limit: int) -> Sequence[ChangedBan]:
    """Return some bans that have changed since a number, in the order of their changes."""
    return [ChangedBan(*row) for row in connection.execute(SELECT_CHANGED, {"seen": seen, "most": limit})]


def find_banned_among(connection: Connection, guild_id: int, people: Collection[int], now: datetime) -> frozenset[int]:
    """Return which of some people are banned in a server."""
    key = {"guild": guild_id, "people": sorted(people), "now": now}
    return frozenset(connection.execute(SELECT_BANNED_AMONG, key).scalars())


def find_tables_of(connection: Connection, guild_id: int, user_id: int) -> Sequence[TableId]:
    """Return the open tables of a server at which a person sits; private ones are left out."""
    return connection.execute(SELECT_TABLES_OF, {"guild": guild_id, "user": user_id}).scalars().all()


def find_open_tables(connection: Connection, guild_id: int) -> list[OpenTable]:
    """Return the open tables of a server, oldest first; private ones are left out."""
    found = connection.execute(SELECT_OPEN_TABLES, {"guild": guild_id}).all()
    names = find_seat_names(connection, [row.id for row in found])
    return [
        OpenTable(
            row.id,
            row.game,
            row.guild_id,
            row.channel_id,
            row.message_id,
            Status(row.status),
            row.created_at,
            names.get(row.id, ()),
            row.link_kind == SeriesLinkKind.PAIRING,
        )
        for row in found
    ]


def prune(connection: Connection, until: datetime) -> None:
    """Delete bans that ended before a time. Processes that have not seen a ban's end know when it ends."""
    connection.execute(_DELETE_ENDED, {"now": until})


def check_seats(connection: Connection, event: TableEvent) -> None:
    """Check that no newcomer at a table is banned; a new table of a series is not checked.

    Raises:
        NotTogether: People for whom a new table has or keeps seats are banned.
        Refusal: A person who joins, or opens the table, is banned.
    """
    header, guild_id = event.after.header, event.after.header.location.guild_id
    is_new = Happened.OPENED in event.happened
    if guild_id is None or (is_new and header.link is not None):
        return
    # A new table keeps no seats for people who would be refused them.
    people = people_in(event.after.seats) | header.kept if is_new else event.newcomers
    banned = find_banned_among(connection, guild_id, people, header.updated_at)
    if banned and is_new and header.opener_id not in banned:
        raise NotTogether(banned)
    if banned:
        raise Refusal(ModerationReason.BANNED)


def plan_removals(connection: Connection, event: TableEvent) -> Table:
    """Store the jobs that take banned members out of a table that goes on with them."""
    table = event.after
    guild_id, at = table.header.location.guild_id, table.header.updated_at
    people = people_in(table.seats[seat] for seat in table.remaining_players)
    if guild_id is not None:
        for user_id in sorted(find_banned_among(connection, guild_id, people, at)):
            _plan_removal(connection, guild_id, user_id, at)
    return table
