"""Queries for reminders: which are due, and which have lapsed."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    delete,
    exists,
    false,
    insert,
    literal,
    or_,
    select,
    true,
    update,
)

from bot.store import rows
from bot.store.schema import AWAITS_PERSON, moves, preferences, reminders, tables
from bot.store.writing import try_insert
from bot.tables.control_entries import CONTROL_ENTRY_PREFIX, TakeBack
from bot.tables.model import Status
from bot.tables.notifications import Reminder

_PLACE_COLUMNS = (tables.c.guild_id, tables.c.channel_id, tables.c.solo_id)

SELECT_DUE = (
    select(tables.c.id, *_PLACE_COLUMNS, tables.c.to_move, tables.c.step, tables.c.awaited_since)
    .where(
        AWAITS_PERSON,
        tables.c.game.in_(bindparam("games", expanding=True)),
        tables.c.to_move.is_not(None),
        tables.c.awaited_since > bindparam("after"),
        tables.c.awaited_since <= bindparam("until"),
        ~exists().where(reminders.c.table_id == tables.c.id),
        ~exists().where(preferences.c.scope_id == tables.c.guild_id, ~preferences.c.reminds),
    )
    .order_by(tables.c.awaited_since, tables.c.id)
    .limit(bindparam("most"))
)
_INSERT = (
    insert(reminders)
    .from_select(
        ["table_id", "seat", "step", "since", "noted_at", "stands"],
        select(
            tables.c.id,
            tables.c.to_move,
            tables.c.step,
            tables.c.awaited_since,
            bindparam("noted_at", type_=reminders.c.noted_at.type),
            true(),
        ).where(
            AWAITS_PERSON,
            tables.c.id == bindparam("table_id"),
            tables.c.to_move == bindparam("seat"),
            tables.c.awaited_since == bindparam("since"),
        ),
    )
    .returning(reminders.c.table_id)
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
SELECT_LAPSED = (
    select(reminders, *_PLACE_COLUMNS)
    .join(tables, tables.c.id == reminders.c.table_id)
    .where(_HAS_ACTED, or_(reminders.c.stands, _IS_TURN_OVER))
    .order_by(reminders.c.table_id)
    .limit(bindparam("most"))
)

_MATCHES_KEY = (reminders.c.table_id == bindparam("which"), reminders.c.since == bindparam("waits_since"))
_SET_MESSAGE = update(reminders).where(*_MATCHES_KEY, reminders.c.stands).values(message_id=bindparam("message"))
_DELETE_IF_TURN_OVER = delete(reminders).where(
    *_MATCHES_KEY, exists().where(tables.c.id == reminders.c.table_id, _IS_TURN_OVER)
)
_CLEAR_MESSAGE = update(reminders).where(*_MATCHES_KEY).values(message_id=None, stands=false())


def find_due(
    connection: Connection, games: Collection[str], after: datetime, until: datetime, limit: int
) -> Sequence[Reminder]:
    """Return unsent reminders for turns that began to wait after `after` and by `until`, longest wait first."""
    parameters = {"games": list(games), "after": after, "until": until, "most": limit}
    found = connection.execute(SELECT_DUE, parameters)
    return [Reminder(row.id, rows.location_of(row), row.to_move, row.step, row.awaited_since) for row in found]


def claim(connection: Connection, reminder: Reminder) -> bool:
    """Store a reminder; return False if there is one, or the player has acted."""
    values = {
        "table_id": reminder.table_id,
        "seat": reminder.seat,
        "since": reminder.since,
        "noted_at": reminder.noted_at,
    }
    return try_insert(connection, _INSERT, values)


def set_message(connection: Connection, reminder: Reminder) -> bool:
    """Store a reminder's message id; return False if the reminder has lapsed."""
    return connection.execute(_SET_MESSAGE, {**_key(reminder), "message": reminder.message_id}).rowcount > 0


def find_lapsed(connection: Connection, limit: int) -> Sequence[Reminder]:
    """Return reminders whose player has acted, with a message to delete or a turn that is over."""
    found = connection.execute(SELECT_LAPSED, {"most": limit})
    return [rows.read_row(Reminder, row, location=rows.location_of(row)) for row in found]


def mark_removed(connection: Connection, reminder: Reminder) -> None:
    """Delete a reminder whose turn is over; otherwise note that its message is gone."""
    if connection.execute(_DELETE_IF_TURN_OVER, _key(reminder)).rowcount == 0:
        connection.execute(_CLEAR_MESSAGE, _key(reminder))


def _key(reminder: Reminder) -> dict[str, object]:
    return {"which": reminder.table_id, "waits_since": reminder.since}
