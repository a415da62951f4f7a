"""Finds the tables at which a person sits."""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import Connection, Select, and_, bindparam, case, exists, literal, or_, select

from bot.features.my_tables.model import Awaited, MyTable
from bot.platform.database.sql import AnyRow
from bot.tables.control_entries import (
    Remove,
    Resign,
)
from bot.tables.model import Status
from bot.tables.schema import IS_LOBBY, IS_UNFINISHED, location_of, moves, seats, tables

_MINE, _AWAITED = seats.alias("mine"), seats.alias("awaited")

_SHOWN: Final = (
    *("id", "game", "guild_id", "channel_id", "solo_id", "message_id", "status", "awaited_since", "updated_at"),
    *("is_own_thread", "is_outside", "clock_ends_at"),
)
_HAS_LEFT: Final = exists().where(
    moves.c.table_id == tables.c.id,
    moves.c.seat == _MINE.c.seat,
    moves.c.text.in_([literal(str(Resign())), literal(str(Remove()))]),
)
_IS_PLAYED: Final = and_(tables.c.status == literal(Status.PLAYING.value), ~tables.c.awaits_computer)
_IS_LOBBY: Final = tables.c.status == literal(Status.LOBBY.value)
_WAITS_FOR_ME: Final = or_(
    and_(_IS_PLAYED, tables.c.to_move == _MINE.c.seat), and_(_IS_LOBBY, tables.c.opener_id == _MINE.c.user_id)
)
_IS_AWAITED: Final = or_(
    and_(_IS_PLAYED, _AWAITED.c.seat == tables.c.to_move),
    and_(_IS_LOBBY, _AWAITED.c.user_id == tables.c.opener_id),
)
SELECT_MINE: Final[Select[Any]] = (
    select(
        *(tables.c[name] for name in _SHOWN),
        _WAITS_FOR_ME.label("waits_for_me"),
        _AWAITED.c.name.label("awaited_name"),
    )
    .select_from(_MINE)
    .join(tables, tables.c.id == _MINE.c.table_id)
    .outerjoin(_AWAITED, and_(_AWAITED.c.table_id == tables.c.id, _IS_AWAITED))
    .where(
        _MINE.c.user_id == bindparam("person"),
        or_(IS_LOBBY, IS_UNFINISHED),
        ~_HAS_LEFT,
        ~tables.c.is_private,
    )
    .order_by(case((_WAITS_FOR_ME, 0), else_=1), tables.c.awaited_since.desc(), tables.c.id.desc())
    .limit(bindparam("most"))
)


def find(connection: Connection, user_id: int, limit: int) -> Sequence[MyTable]:
    """Return the tables at which a person sits and has not left: first those that await them, then the newest.

    Private tables are left out.
    """
    return [_table_of(row) for row in connection.execute(SELECT_MINE, {"person": user_id, "most": limit})]


def _table_of(row: AnyRow) -> MyTable:
    status = Status(row.status)
    another = Awaited.NOBODY if row.awaited_name is None else Awaited.ANOTHER
    return MyTable(
        row.id,
        row.game,
        location_of(row),
        row.message_id,
        status,
        Awaited.YOU if row.waits_for_me else another,
        row.awaited_name or "",
        row.updated_at if status.is_aside else row.awaited_since,
        row.clock_ends_at,
    )
