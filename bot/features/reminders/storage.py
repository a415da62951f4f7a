"""Queries for reminders: people's choices, due reminders, and lapsed ones."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ColumnElement,
    Connection,
    Integer,
    Text,
    Update,
    and_,
    bindparam,
    case,
    delete,
    exists,
    false,
    func,
    insert,
    literal,
    or_,
    select,
    text,
    true,
    update,
)

from bot.features.reminders.messages import is_reminder
from bot.features.reminders.model import (
    DELAYS,
    IGNORED_AFTER,
    LOST_AFTER,
    PersonPings,
    PingChoice,
    PingMode,
    QuietHours,
    Reminder,
    ReminderStage,
)
from bot.features.settings.all_settings import REMINDERS
from bot.features.settings.storage import is_changed, is_off, settings
from bot.platform.database.sql import (
    AnyRow,
    UtcDateTime,
    Values,
    lock,
    partial_index,
    rowless_table,
    try_insert,
    upsert,
)
from bot.platform.jobs.shard_leases import is_served, select_served
from bot.platform.notices.storage import STANDS, NoticeKind, notice_table
from bot.platform.places import ShardRange
from bot.tables.control_entries import CONTROL_ENTRY_PREFIX, TakeBack
from bot.tables.model import Status, TableId
from bot.tables.schema import AWAITS_PERSON, IS_LOBBY, IS_OPEN, IS_UNFINISHED, moves, read_row, seats, tables

# SQLite uses a partial index only for a condition with exactly the same text, so this contains no parameters.
IS_HELD: Final = text("stands AND send_at IS NOT NULL")

# The primary key decides which process sends a reminder.
reminders = notice_table(
    "reminders",
    Column("seat", Integer, nullable=False),
    Column("step", Integer, nullable=False),
    Column("since", UtcDateTime, nullable=False),
    Column("stage", Text, nullable=False),
    # When to send it, after quiet hours.
    Column("send_at", UtcDateTime),
    # The player to move.
    Column("user_id", BigInteger),
    partial_index("reminders_held", "send_at", where=IS_HELD),
    # Finds a person's ping.
    partial_index("reminders_standing", "user_id", where=STANDS),
)

# A person's choices for a table, or (table 0) for all others.
pings = rowless_table(
    "pings",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("table_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mode", Text, nullable=False),
    # Minutes of silence.
    Column("delay", Integer, nullable=False),
)

# Quiet hours, and refusals of direct messages. A person without either may have no row.
ping_people = rowless_table(
    "ping_people",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("zone", Text),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("refuses_direct", Boolean, nullable=False, server_default=false()),
)


_HERE, _ALWAYS = pings.alias("here"), pings.alias("always")
"""The choices of the player to move, for the table and for all others."""

_MODE = func.coalesce(_HERE.c.mode, _ALWAYS.c.mode, literal(PingChoice().mode.value))
_DELAY = func.coalesce(_HERE.c.delay, _ALWAYS.c.delay, literal(PingChoice().delay))
_SINCE_TYPE = tables.c.awaited_since.type
_LATEST: ColumnElement[datetime] = case(
    {delay: bindparam(f"until_{delay}", type_=_SINCE_TYPE) for delay in DELAYS}, value=_DELAY
)
"""The latest start of a wait for which the player wants a ping by now."""

_STANDING = reminders.alias("standing")


def _has_ping(person: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a person has a ping: sent, being sent, or held back."""
    return exists().where(
        _STANDING.c.user_id == person,
        # The database uses a partial index only for the index's own condition.
        text(f"{_STANDING.name}.{STANDS}"),
        _STANDING.c.stage != literal(ReminderStage.TIME_UP.value),
        _STANDING.c.noted_at > bindparam("ignored_since", type_=_STANDING.c.noted_at.type),
        or_(
            _STANDING.c.message_id.is_not(None),
            _STANDING.c.send_at.is_not(None),
            _STANDING.c.noted_at > bindparam("lost_since", type_=_STANDING.c.noted_at.type),
        ),
    )


# Materialized first: most waiting tables have a reminder already, so their players' choices need not be read.
_WAITING = (
    select(tables.c.id, tables.c.guild_id, tables.c.channel_id, tables.c.to_move, tables.c.step, tables.c.awaited_since)
    .where(
        AWAITS_PERSON,
        tables.c.game.in_(bindparam("games", expanding=True)),
        tables.c.to_move.is_not(None),
        tables.c.awaited_since > bindparam("after"),
        tables.c.awaited_since <= bindparam("until"),
        is_served(tables.c.guild_id),
        ~exists().where(reminders.c.table_id == tables.c.id),
    )
    .cte("waiting")
    .prefix_with("MATERIALIZED")
)
_DUE = (
    select(
        _WAITING,
        func.row_number()
        .over(partition_by=seats.c.user_id, order_by=(_WAITING.c.awaited_since, _WAITING.c.id))
        .label("place"),
    )
    .join(seats, and_(seats.c.table_id == _WAITING.c.id, seats.c.seat == _WAITING.c.to_move))
    .outerjoin(_HERE, and_(_HERE.c.user_id == seats.c.user_id, _HERE.c.table_id == _WAITING.c.id))
    .outerjoin(_ALWAYS, and_(_ALWAYS.c.user_id == seats.c.user_id, _ALWAYS.c.table_id == literal(0)))
    .outerjoin(settings, is_changed(REMINDERS, _WAITING.c.guild_id))
    .where(
        _WAITING.c.awaited_since <= _LATEST,
        literal(PingMode.OFF.value) != _MODE,
        or_(literal(PingMode.DIRECT.value) == _MODE, settings.c.value.is_(None)),
        ~_has_ping(seats.c.user_id),
    )
    .subquery("due")
)
SELECT_DUE = select(_DUE).where(_DUE.c.place == 1).order_by(_DUE.c.awaited_since, _DUE.c.id).limit(bindparam("most"))
"""At most one due table per person."""

_IS_AWAITED = (
    AWAITS_PERSON,
    tables.c.id == bindparam("which"),
    tables.c.to_move == bindparam("which_seat"),
    tables.c.awaited_since == bindparam("waits_since"),
)
_SELECT_MOVER = select(seats.c.user_id).where(
    seats.c.table_id == bindparam("which"), seats.c.seat == bindparam("which_seat")
)
_NEW = {
    "channel_id": bindparam("in_channel", type_=reminders.c.channel_id.type),
    "seat": bindparam("which_seat", type_=reminders.c.seat.type),
    "user_id": _SELECT_MOVER.scalar_subquery(),
    "step": tables.c.step,
    "since": bindparam("waits_since", type_=reminders.c.since.type),
    "noted_at": bindparam("noted", type_=reminders.c.noted_at.type),
    "stands": true(),
    "stage": bindparam("which_stage", type_=reminders.c.stage.type),
    "send_at": bindparam("held_until", type_=reminders.c.send_at.type),
}
_NEW_ROW = select(tables.c.id, *_NEW.values()).where(*_IS_AWAITED)
_INSERT = insert(reminders).from_select(["table_id", *_NEW], _NEW_ROW).returning(reminders.c.table_id)
_INSERT_PING = (
    insert(reminders)
    .from_select(["table_id", *_NEW], _NEW_ROW.where(~_has_ping(_SELECT_MOVER.scalar_subquery())))
    .returning(reminders.c.table_id)
)
_REPLACE = (
    update(reminders)
    .where(
        reminders.c.table_id == bindparam("which"),
        or_(
            ~reminders.c.stands,
            reminders.c.stage != bindparam("which_stage"),
            reminders.c.since != bindparam("waits_since"),
        ),
        # After a downtime both jobs of a clock may be done at once.
        or_(
            ~reminders.c.stands,
            reminders.c.stage != literal(ReminderStage.TIME_UP.value),
            reminders.c.since != bindparam("waits_since"),
            bindparam("which_stage") == literal(ReminderStage.TIME_UP.value),
        ),
        exists().where(*_IS_AWAITED),
    )
    .values({**_NEW, "step": bindparam("which_step"), "message_id": None})
)

_HAVE_OTHERS_MOVED = exists().where(
    moves.c.table_id == reminders.c.table_id,
    moves.c.step > reminders.c.step,
    moves.c.seat != reminders.c.seat,
    or_(~moves.c.text.like(literal(f"{CONTROL_ENTRY_PREFIX}%")), moves.c.text == literal(str(TakeBack()))),
)
"""Another seat has since made an entry that ends the turn: a move or `!undo`, but no other control entry."""

_IS_TURN_OVER: ColumnElement[bool] = or_(
    tables.c.status != literal(Status.PLAYING.value),
    tables.c.to_move.is_(None),
    tables.c.to_move != reminders.c.seat,
    tables.c.awaits_computer,
    _HAVE_OTHERS_MOVED,
)
_HAS_ACTED = tables.c.awaited_since != reminders.c.since
_IS_DECIDED = and_(reminders.c.stands, reminders.c.stage == literal(ReminderStage.TIME_UP.value), ~tables.c.is_time_up)
REMINDER: Final = NoticeKind(
    "reminder",
    reminders,
    identity=("table_id", "since", "stage"),
    read=lambda row: read_row(Reminder, row, stage=ReminderStage(row.stage)),
    recognises=is_reminder,
    lapsed=select(reminders)
    .join(tables, tables.c.id == reminders.c.table_id)
    .where(or_(and_(_HAS_ACTED, or_(reminders.c.stands, _IS_TURN_OVER)), _IS_DECIDED), is_served(tables.c.guild_id))
    .order_by(reminders.c.table_id)
    .limit(bindparam("most")),
    is_forgotten=exists().where(tables.c.id == reminders.c.table_id, _IS_TURN_OVER),
)
"""A reminder lapses when the player has acted; until the turn ends, its row records that the turn had one."""

SELECT_HELD = (
    select(reminders)
    .join(tables, tables.c.id == reminders.c.table_id)
    .where(IS_HELD, reminders.c.send_at <= bindparam("now"), is_served(tables.c.guild_id))
    .order_by(reminders.c.send_at)
    .limit(bindparam("most"))
)
HAS_WORK: Final = REMINDER.lapsed.exists() | SELECT_DUE.exists() | SELECT_HELD.exists()
"""Whether any reminder must be sent or deleted."""

_SELECT_ONE = select(reminders).where(reminders.c.table_id == bindparam("which"))
_RELEASE = (
    update(reminders)
    .where(
        reminders.c.table_id == bindparam("which"),
        reminders.c.since == bindparam("waits_since"),
        reminders.c.send_at == bindparam("held_until"),
        reminders.c.stands,
    )
    .values(send_at=None, noted_at=bindparam("noted"))
)


def find_due(
    connection: Connection,
    shards: ShardRange,
    games: Collection[str],
    after: datetime,
    until: Mapping[int, datetime],
    limit: int,
) -> Sequence[Reminder]:
    """Return the reminders that can be stored now, for turns that began to wait after a time, longest wait first.

    Only tables of the given games count. Solo games, direct messages, people who want no pings, and mentions in servers
    that forbid reminders are left out. A person who has a ping or a half-time reminder gets none, everyone else at most
    one.

    Args:
        games: The keys of the games.
        after: Only later waits count.
        until: The latest start of a wait, by the delay in minutes that the player has chosen.
        limit: The most reminders to return.
    """
    found = select_served(connection, shards, SELECT_DUE, due_values(games, after, until, limit))
    now = max(until.values())
    return [Reminder(row.id, row.channel_id, row.to_move, row.step, row.awaited_since, noted_at=now) for row in found]


def due_values(games: Collection[str], after: datetime, until: Mapping[int, datetime], limit: int) -> Values:
    """Return the parameters of the query for due reminders."""
    latest = max(until.values())
    delays = {f"until_{delay}": until.get(delay) for delay in DELAYS}
    return {"games": list(games), "after": after, "until": latest, **_holding_back(latest), "most": limit, **delays}


def _holding_back(now: datetime) -> Values:
    """Return the times since which pings hold back others."""
    return {"lost_since": now - LOST_AFTER, "ignored_since": now - IGNORED_AFTER}


def claim(connection: Connection, reminder: Reminder) -> bool:
    """Store a reminder before it is sent; return False if one exists, or the player has acted.

    A reminder about a turn clock replaces any other, except a standing one of the same stage or, at half time, the
    question after the end. A ping is also refused while the player has one at another table.
    """
    values = {
        "which": reminder.table_id,
        "which_seat": reminder.seat,
        "in_channel": reminder.channel_id,
        "waits_since": reminder.since,
        "which_stage": reminder.stage.value,
        "noted": reminder.noted_at,
        "held_until": reminder.send_at,
    }
    if reminder.stage is not ReminderStage.TURN:
        replacement = values | {"which_step": reminder.step}

        def replace() -> bool:
            return connection.execute(_REPLACE, replacement).rowcount > 0

        # The second attempt replaces a reminder that another process has stored since the first.
        return replace() or try_insert(connection, _INSERT, values) or replace()
    mover = connection.execute(_SELECT_MOVER, {"which": reminder.table_id, "which_seat": reminder.seat}).scalar()
    if mover is None:
        return False
    # Without the lock, another process could meanwhile store a ping for the same person at another table.
    lock(connection, mover)
    return try_insert(connection, _INSERT_PING, values | _holding_back(reminder.noted_at))


def release(connection: Connection, reminder: Reminder) -> bool:
    """Store that a held reminder is about to be sent; return False if it is no longer held back."""
    key = {"which": reminder.table_id, "waits_since": reminder.since}
    values = {"held_until": reminder.send_at, "noted": reminder.noted_at}
    return connection.execute(_RELEASE, key | values).rowcount > 0


def find_held(connection: Connection, shards: ShardRange, now: datetime, limit: int) -> Sequence[Reminder]:
    """Return held reminders whose quiet hours have ended."""
    return [REMINDER.read(row) for row in select_served(connection, shards, SELECT_HELD, {"now": now, "most": limit})]


def find(connection: Connection, table_id: TableId) -> Reminder | None:
    """Return the reminder of a table, or None if it has none."""
    row = connection.execute(_SELECT_ONE, {"which": table_id}).one_or_none()
    return None if row is None else REMINDER.read(row)


def _forget_where(condition: ColumnElement[bool]) -> Update:
    found = select(tables.c.id).where(IS_OPEN, condition)
    forgotten = update(reminders).where(reminders.c.stands, reminders.c.table_id.in_(found))
    return forgotten.values(message_id=None, stands=false())


_FORGET_IN_SERVER: Final = _forget_where(tables.c.guild_id == bindparam("where"))
_FORGET_IN_CHANNEL: Final = _forget_where(tables.c.channel_id == bindparam("where"))


_SELECT_CHANNELS: Final = (
    select(tables.c.channel_id)
    .distinct()
    .join(reminders, reminders.c.table_id == tables.c.id)
    .where(IS_OPEN, reminders.c.stands, tables.c.guild_id == bindparam("where"))
    .order_by(tables.c.channel_id)
)


def find_channels(connection: Connection, guild_id: int) -> Sequence[int]:
    """Return the channels of a server that have tables with standing reminders."""
    return connection.execute(_SELECT_CHANNELS, {"where": guild_id}).scalars().all()


def forget_in_server(connection: Connection, guild_id: int) -> None:
    """Stop the reminders of a server that the bot has left from standing."""
    connection.execute(_FORGET_IN_SERVER, {"where": guild_id})


def forget_in_channel(connection: Connection, channel_id: int) -> None:
    """Stop the reminders of a deleted channel from standing, because nobody can answer them."""
    connection.execute(_FORGET_IN_CHANNEL, {"where": channel_id})


_FOR_ALL: Final = 0

_SELECT_PERSON: Final = select(ping_people).where(ping_people.c.user_id == bindparam("person"))
_SELECT_CHOICES: Final = select(pings).where(
    pings.c.user_id == bindparam("person"), or_(pings.c.table_id == _FOR_ALL, pings.c.table_id == bindparam("which"))
)
_FORBIDS_REMINDERS: Final = select(is_off(REMINDERS, bindparam("server")))
_IS_CHOICE: Final = (pings.c.user_id == bindparam("person"), pings.c.table_id == bindparam("which"))
_DELETE_CHOICE: Final = delete(pings).where(*_IS_CHOICE)
_UPDATE_CHOICE: Final = update(pings).where(*_IS_CHOICE).values(mode=bindparam("how"), delay=bindparam("minutes"))
_INSERT_CHOICE: Final = insert(pings).returning(pings.c.user_id)
DELETE_OVER: Final = delete(pings).where(
    pings.c.user_id == bindparam("person"),
    pings.c.table_id != _FOR_ALL,
    ~exists().where(tables.c.id == pings.c.table_id, or_(IS_LOBBY, IS_UNFINISHED)),
)
_ACCEPT_DIRECT: Final = (
    update(ping_people).where(ping_people.c.user_id == bindparam("person")).values(refuses_direct=false())
)


def find_choices(connection: Connection, user_id: int, table_id: TableId, guild_id: int | None) -> PersonPings:
    """Return a person's choices that matter at a table of a server; table 0 stands for all others."""
    key = {"person": user_id, "which": table_id}
    chosen = {row.table_id: _choice_of(row) for row in connection.execute(_SELECT_CHOICES, key)}
    row = connection.execute(_SELECT_PERSON, {"person": user_id}).one_or_none()
    forbids = connection.execute(_FORBIDS_REMINDERS, {"server": guild_id or 0}).scalar_one()
    return PersonPings(
        always=chosen.get(_FOR_ALL),
        here=chosen.get(table_id) if table_id != _FOR_ALL else None,
        quiet=None if row is None or row.zone is None else QuietHours(row.zone, row.quiet_from, row.quiet_until),
        refuses_direct=row is not None and row.refuses_direct,
        may_mention=not forbids,
    )


def choose(connection: Connection, user_id: int, table_id: TableId, choice: PingChoice | None) -> None:
    """Store a choice for a table, or (0) for all tables without their own; None deletes the choice.

    Choosing direct messages after a refusal starts a new attempt. Choices for tables that are over are deleted.
    """
    key = {"person": user_id, "which": table_id}
    connection.execute(DELETE_OVER, {"person": user_id})
    if choice is None:
        connection.execute(_DELETE_CHOICE, key)
        return
    values = {"how": choice.mode.value, "minutes": choice.delay}
    row = {"user_id": user_id, "table_id": table_id, "mode": choice.mode.value, "delay": choice.delay}
    if not connection.execute(_UPDATE_CHOICE, key | values).rowcount and not try_insert(
        connection, _INSERT_CHOICE, row
    ):
        # Another process has inserted the row first.
        connection.execute(_UPDATE_CHOICE, key | values)
    if choice.mode is PingMode.DIRECT:
        connection.execute(_ACCEPT_DIRECT, {"person": user_id})


def choose_quiet_hours(connection: Connection, user_id: int, quiet: QuietHours | None) -> None:
    """Store a person's quiet hours; None deletes them."""
    chosen = (None, None, None) if quiet is None else (quiet.zone, quiet.start, quiet.end)
    values = dict(zip(("zone", "quiet_from", "quiet_until"), chosen, strict=True))
    upsert(connection, ping_people.c.user_id, user_id, values)


def note_refused_direct(connection: Connection, user_id: int) -> None:
    """Store that a person accepts no direct messages."""
    upsert(connection, ping_people.c.user_id, user_id, {"refuses_direct": True})


def _choice_of(row: AnyRow) -> PingChoice:
    return PingChoice(PingMode(row.mode), row.delay)
