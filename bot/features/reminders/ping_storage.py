"""Queries for how people want to be pinged."""

from typing import Any, Final

from sqlalchemy import Connection, Row, bindparam, delete, exists, false, insert, or_, select, update

from bot.features.reminders.model import PersonPings, PingChoice, PingMode, QuietHours
from bot.features.reminders.storage import ping_people, pings
from bot.features.settings.storage import is_off
from bot.features.settings.table import REMINDERS
from bot.platform.database.sql import try_insert, upsert
from bot.tables.model import TableId
from bot.tables.schema import IS_LOBBY, IS_UNFINISHED, tables

_FOR_ALL: Final = 0

_SELECT_PERSON: Final = select(ping_people).where(ping_people.c.user_id == bindparam("person"))
_SELECT_CHOICES: Final = select(pings).where(
    pings.c.user_id == bindparam("person"), or_(pings.c.table_id == _FOR_ALL, pings.c.table_id == bindparam("which"))
)
_SELECT_FORBIDS: Final = select(is_off(REMINDERS, bindparam("server")))
_IS_CHOICE: Final = (pings.c.user_id == bindparam("person"), pings.c.table_id == bindparam("which"))
_DELETE: Final = delete(pings).where(*_IS_CHOICE)
_UPDATE: Final = update(pings).where(*_IS_CHOICE).values(mode=bindparam("how"), delay=bindparam("minutes"))
_INSERT: Final = insert(pings).returning(pings.c.user_id)
DELETE_OVER: Final = delete(pings).where(
    pings.c.user_id == bindparam("person"),
    pings.c.table_id != _FOR_ALL,
    ~exists().where(tables.c.id == pings.c.table_id, or_(IS_LOBBY, IS_UNFINISHED)),
)
_ACCEPT_DIRECT: Final = (
    update(ping_people).where(ping_people.c.user_id == bindparam("person")).values(refuses_direct=false())
)


def find(connection: Connection, user_id: int, table_id: TableId, guild_id: int | None) -> PersonPings:
    """Return what a person has chosen that matters at a table of a server; table 0 is none."""
    key = {"person": user_id, "which": table_id}
    chosen = {row.table_id: _choice_of(row) for row in connection.execute(_SELECT_CHOICES, key)}
    row = connection.execute(_SELECT_PERSON, {"person": user_id}).one_or_none()
    forbids = connection.execute(_SELECT_FORBIDS, {"server": guild_id or 0}).scalar_one()
    return PersonPings(
        always=chosen.get(_FOR_ALL),
        here=chosen.get(table_id) if table_id != _FOR_ALL else None,
        quiet=None if row is None or row.zone is None else QuietHours(row.zone, row.quiet_from, row.quiet_until),
        refuses_direct=row is not None and row.refuses_direct,
        may_mention=not forbids,
    )


def choose(connection: Connection, user_id: int, table_id: TableId, choice: PingChoice | None) -> None:
    """Store a choice for a table, or (0) for all without one of their own; None deletes it.

    A choice of direct messages is a new attempt after a refusal. Choices for tables that are over are deleted.
    """
    key = {"person": user_id, "which": table_id}
    connection.execute(DELETE_OVER, {"person": user_id})
    if choice is None:
        connection.execute(_DELETE, key)
        return
    values = {"how": choice.mode.value, "minutes": choice.delay}
    row = {"user_id": user_id, "table_id": table_id, "mode": choice.mode.value, "delay": choice.delay}
    if not connection.execute(_UPDATE, key | values).rowcount and not try_insert(connection, _INSERT, row):
        # Another process was faster.
        connection.execute(_UPDATE, key | values)
    if choice.mode is PingMode.DIRECT:
        connection.execute(_ACCEPT_DIRECT, {"person": user_id})


def choose_quiet_hours(connection: Connection, user_id: int, quiet: QuietHours | None) -> None:
    """Store in which hours a person is not pinged; None for in all."""
    chosen = (None, None, None) if quiet is None else (quiet.zone, quiet.start, quiet.end)
    values = dict(zip(("zone", "quiet_from", "quiet_until"), chosen, strict=True))
    upsert(connection, ping_people.c.user_id, user_id, values)


def note_refused_direct(connection: Connection, user_id: int) -> None:
    """Note that a person accepts no direct messages."""
    upsert(connection, ping_people.c.user_id, user_id, {"refuses_direct": True})


def _choice_of(row: Row[Any]) -> PingChoice:
    return PingChoice(PingMode(row.mode), row.delay)
