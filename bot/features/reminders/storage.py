"""Queries for reminders: which are due, and which have lapsed."""

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

from bot.features.reminders.model import DELAYS, PingChoice, PingMode
from bot.features.settings.storage import is_changed, settings
from bot.features.settings.table import REMINDERS
from bot.platform.database.sql import AnyRow, Values, lock, rowless_table, try_insert
from bot.platform.jobs.shards import is_served, select_served
from bot.platform.notices.schema import IS_HELD, STANDS, reminders
from bot.platform.places import Location, ShardRange
from bot.tables.control_entries import CONTROL_ENTRY_PREFIX, TakeBack
from bot.tables.model import Status, TableId
from bot.tables.notifications import IGNORED_AFTER, LOST_AFTER, Reminder, ReminderStage
from bot.tables.schema import AWAITS_PERSON, IS_OPEN, location_of, moves, read_row, seats, tables

# What a person has chosen for a table, or for all others (table 0).
pings = rowless_table(
    "pings",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("table_id", BigInteger, primary_key=True, autoincrement=False),
    Column("mode", Text, nullable=False),
    # In minutes of silence.
    Column("delay", Integer, nullable=False),
)

# Quiet hours, and who accepts no direct messages. People without either may have no row.
ping_people = rowless_table(
    "ping_people",
    Column("user_id", BigInteger, primary_key=True, autoincrement=False),
    Column("zone", Text),
    Column("quiet_from", Integer),
    Column("quiet_until", Integer),
    Column("refuses_direct", Boolean, nullable=False, server_default=false()),
)


_PLACE_COLUMNS = (tables.c.guild_id, tables.c.channel_id, tables.c.solo_id)
_REMINDER_COLUMNS = (
    *reminders.c,
    tables.c.guild_id,
    tables.c.channel_id.label("table_channel_id"),
    tables.c.solo_id,
)

_HERE, _ALWAYS = pings.alias("here"), pings.alias("always")
"""What the player to move has chosen for the table, and for all others."""

_MODE = func.coalesce(_HERE.c.mode, _ALWAYS.c.mode, literal(PingChoice().mode.value))
_DELAY = func.coalesce(_HERE.c.delay, _ALWAYS.c.delay, literal(PingChoice().delay))
_SINCE_TYPE = tables.c.awaited_since.type
_LATEST: ColumnElement[datetime] = case(
    {delay: bindparam(f"until_{delay}", type_=_SINCE_TYPE) for delay in DELAYS}, value=_DELAY
)
"""By when the wait must have begun, as the player has chosen."""

_STANDING = reminders.alias("standing")


def _has_ping(person: ColumnElement[int]) -> ColumnElement[bool]:
    """Return the condition that a person has a ping, or one is on its way or held back."""
    return exists().where(
        _STANDING.c.user_id == person,
        # A partial index is used only for its own condition.
        text(f"{_STANDING.name}.{STANDS}"),
        _STANDING.c.stage != literal(ReminderStage.TIME_UP.value),
        _STANDING.c.noted_at > bindparam("ignored_since", type_=_STANDING.c.noted_at.type),
        or_(
            _STANDING.c.message_id.is_not(None),
            _STANDING.c.send_at.is_not(None),
            _STANDING.c.noted_at > bindparam("lost_since", type_=_STANDING.c.noted_at.type),
        ),
    )


# Most tables that wait have been reminded, so what their players have chosen does not matter.
_WAITING = (
    select(tables.c.id, *_PLACE_COLUMNS, tables.c.to_move, tables.c.step, tables.c.awaited_since)
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
"""Of the tables that wait for a person, one is due at a time."""

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
        exists().where(*_IS_AWAITED),
    )
    .values({**_NEW, "step": bindparam("which_step"), "message_id": None, "channel_id": None})
)

_HAVE_OTHERS_MOVED = exists().where(
    moves.c.table_id == reminders.c.table_id,
    moves.c.step > reminders.c.step,
    moves.c.seat != reminders.c.seat,
    or_(~moves.c.text.like(literal(f"{CONTROL_ENTRY_PREFIX}%")), moves.c.text == literal(str(TakeBack()))),
)
"""Another seat has made an entry since that ends the turn: a move or `!undo`, but no other control entry."""

_IS_TURN_OVER: ColumnElement[bool] = or_(
    tables.c.status != literal(Status.PLAYING.value),
    tables.c.to_move.is_(None),
    tables.c.to_move != reminders.c.seat,
    tables.c.awaits_computer,
    _HAVE_OTHERS_MOVED,
)
_HAS_ACTED = tables.c.awaited_since != reminders.c.since
_IS_DECIDED = and_(reminders.c.stands, reminders.c.stage == literal(ReminderStage.TIME_UP.value), ~tables.c.is_time_up)
SELECT_LAPSED = (
    select(*_REMINDER_COLUMNS)
    .join(tables, tables.c.id == reminders.c.table_id)
    .where(or_(and_(_HAS_ACTED, or_(reminders.c.stands, _IS_TURN_OVER)), _IS_DECIDED), is_served(tables.c.guild_id))
    .order_by(reminders.c.table_id)
    .limit(bindparam("most"))
)

_MATCHES_KEY = (reminders.c.table_id == bindparam("which"), reminders.c.since == bindparam("waits_since"))
# Another stage of the same turn may have replaced a reminder while it was being sent.
_IS_ITS_STAGE = reminders.c.stage == bindparam("which_stage")
SELECT_HELD = (
    select(*_REMINDER_COLUMNS)
    .join(tables, tables.c.id == reminders.c.table_id)
    .where(IS_HELD, reminders.c.send_at <= bindparam("now"), is_served(tables.c.guild_id))
    .order_by(reminders.c.send_at)
    .limit(bindparam("most"))
)
HAS_WORK: Final = SELECT_LAPSED.exists() | SELECT_DUE.exists() | SELECT_HELD.exists()
"""Whether any reminder is to be sent or deleted."""

_SELECT_ONE = (
    select(*_REMINDER_COLUMNS)
    .join(tables, tables.c.id == reminders.c.table_id)
    .where(reminders.c.table_id == bindparam("which"))
)
_RELEASE = (
    update(reminders)
    .where(*_MATCHES_KEY, reminders.c.send_at == bindparam("held_until"))
    .values(send_at=None, noted_at=bindparam("noted"))
)
_SET_MESSAGE = (
    update(reminders)
    .where(*_MATCHES_KEY, _IS_ITS_STAGE, reminders.c.stands)
    .values(message_id=bindparam("message"), channel_id=bindparam("channel"))
)
_DELETE_IF_TURN_OVER = delete(reminders).where(
    *_MATCHES_KEY, exists().where(tables.c.id == reminders.c.table_id, _IS_TURN_OVER)
)
_CLEAR_MESSAGE = (
    update(reminders)
    .where(*_MATCHES_KEY, _IS_ITS_STAGE)
    .values(message_id=None, channel_id=None, send_at=None, stands=false())
)


def find_due(
    connection: Connection,
    shards: ShardRange,
    games: Collection[str],
    after: datetime,
    until: Mapping[int, datetime],
    limit: int,
) -> Sequence[Reminder]:
    """Return unsent reminders for turns that began to wait after a time, longest wait first.

    Only tables of the given games count; no solo games, no direct messages, nobody who wants no pings, and nobody
    who would be mentioned in a server that forbids reminders. Each person has one ping at a time: who has one, or
    a reminder that half their time has passed, has none due, and everyone else one at most.

    Args:
        games: The keys of the games.
        after: The wait must have begun later.
        until: By when the wait must have begun, by the delay that the player has chosen, in minutes.
        limit: How many to return at most.
    """
    found = select_served(connection, shards, SELECT_DUE, due_values(games, after, until, limit))
    return [Reminder(row.id, location_of(row), row.to_move, row.step, row.awaited_since) for row in found]


def due_values(games: Collection[str], after: datetime, until: Mapping[int, datetime], limit: int) -> Values:
    """Return the parameters of the query for due reminders."""
    latest = max(until.values())
    delays = {f"until_{delay}": until.get(delay) for delay in DELAYS}
    return {"games": list(games), "after": after, "until": latest, **_holding_back(latest), "most": limit, **delays}


def _holding_back(now: datetime) -> Values:
    """Return since when pings were noted that hold others back."""
    return {"lost_since": now - LOST_AFTER, "ignored_since": now - IGNORED_AFTER}


def claim(connection: Connection, reminder: Reminder) -> bool:
    """Store a reminder before it is sent; return False if there is one, or the player has acted.

    One about a turn clock replaces any other, except a standing one of the same stage; a ping is refused, too,
    while the player has one at another table.
    """
    values = {
        "which_seat": reminder.seat,
        "noted": reminder.noted_at,
        "held_until": reminder.send_at,
        **_stage_key(reminder),
    }
    if reminder.stage is ReminderStage.TURN:
        return _claim_ping(connection, reminder, values)
    if connection.execute(_REPLACE, values | {"which_step": reminder.step}).rowcount:
        return True
    return try_insert(connection, _INSERT, values)


def _claim_ping(connection: Connection, reminder: Reminder, values: Values) -> bool:
    # Without the lock, another process could note a ping for the same person at another table meanwhile.
    mover = connection.execute(_SELECT_MOVER, {"which": reminder.table_id, "which_seat": reminder.seat}).scalar()
    if mover is None or reminder.noted_at is None:
        return False
    lock(connection, mover)
    return try_insert(connection, _INSERT_PING, values | _holding_back(reminder.noted_at))


def release(connection: Connection, reminder: Reminder) -> bool:
    """Note before it is sent when a reminder is no longer held back; return False if it is not."""
    values = {"held_until": reminder.send_at, "noted": reminder.noted_at}
    return connection.execute(_RELEASE, {**_key(reminder), **values}).rowcount > 0


def set_message(connection: Connection, reminder: Reminder) -> bool:
    """Store a reminder's message id; return False if the reminder has lapsed, so that the message must go."""
    message = {"message": reminder.message_id, "channel": reminder.channel_id}
    return connection.execute(_SET_MESSAGE, _stage_key(reminder) | message).rowcount > 0


def find_lapsed(connection: Connection, shards: ShardRange, limit: int) -> Sequence[Reminder]:
    """Return reminders whose player has acted, with a message to delete or a turn that is over."""
    return [_reminder_of(row) for row in select_served(connection, shards, SELECT_LAPSED, {"most": limit})]


def find_held(connection: Connection, shards: ShardRange, now: datetime, limit: int) -> Sequence[Reminder]:
    """Return reminders that were held back until now."""
    return [_reminder_of(row) for row in select_served(connection, shards, SELECT_HELD, {"now": now, "most": limit})]


def find(connection: Connection, table_id: TableId) -> Reminder | None:
    """Return the reminder of a table, or None if it has none."""
    row = connection.execute(_SELECT_ONE, {"which": table_id}).one_or_none()
    return None if row is None else _reminder_of(row)


def mark_removed(connection: Connection, reminder: Reminder) -> None:
    """Delete a reminder whose turn is over; otherwise note that its message is gone, if it was not replaced."""
    if connection.execute(_DELETE_IF_TURN_OVER, _key(reminder)).rowcount == 0:
        connection.execute(_CLEAR_MESSAGE, _stage_key(reminder))


def _reminder_of(row: AnyRow) -> Reminder:
    # The place is the table's; the channel of the row is that of a direct message.
    location = Location(row.guild_id, row.table_channel_id, row.solo_id)
    return read_row(Reminder, row, location=location, stage=ReminderStage(row.stage))


def _key(reminder: Reminder) -> dict[str, object]:
    return {"which": reminder.table_id, "waits_since": reminder.since}


def _stage_key(reminder: Reminder) -> dict[str, object]:
    return {**_key(reminder), "which_stage": reminder.stage.value}


def _forget_where(condition: ColumnElement[bool]) -> Update:
    found = select(tables.c.id).where(IS_OPEN, condition)
    values = {"message_id": None, "channel_id": None, "send_at": None, "stands": false()}
    return update(reminders).where(reminders.c.stands, reminders.c.table_id.in_(found)).values(values)


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
    """Return the channels of a server with tables whose reminders stand."""
    return connection.execute(_SELECT_CHANNELS, {"where": guild_id}).scalars().all()


def forget_in_server(connection: Connection, guild_id: int) -> None:
    """Forget the reminders at the tables of a server that the bot has left."""
    connection.execute(_FORGET_IN_SERVER, {"where": guild_id})


def forget_in_channel(connection: Connection, channel_id: int) -> None:
    """Note that the reminders at the tables of a deleted channel do not stand: nobody can answer them."""
    connection.execute(_FORGET_IN_CHANNEL, {"where": channel_id})
