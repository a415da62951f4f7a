"""Queries for what is kept about a person, without other people's ids and names."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import ColumnElement, Connection, Select, and_, literal, or_, select, true, tuple_

from bot.community.privacy.model import ExportedPage, ExportedRow, Json, Key
from bot.store.queries.data_kinds import Kind, PersonalData
from bot.store.queries.personal_data import PERSONAL_DATA
from bot.store.schema import moves, reminders, seats, tables

EXPORTED_TABLES: Final = tuple(PERSONAL_DATA)
"""The names of the tables that an export is made of."""

_SOMEONE: Final = "someone else"
_LEFT_OUT: Final = (Kind.HIDDEN, Kind.TEXT)
_BY_SEAT: Final = (moves, reminders)


def export_rows(connection: Connection, user_id: int, table: str, after: Key | None, limit: int) -> ExportedPage | None:
    """Return some rows about a person, after the one with a primary key; None if there are no more."""
    data = PERSONAL_DATA[table]
    condition = _condition(data, user_id)
    if condition is None:
        return None
    key = list(data.table.primary_key.columns)
    if after is not None:
        if data.table in _BY_SEAT:
            # Otherwise every page would begin at the person's first seat.
            condition = seats.c.table_id >= after[0]
        condition = and_(condition, tuple_(*key) > tuple_(*map(literal, after, (column.type for column in key))))
    found = connection.execute(_select(data, user_id).where(condition).order_by(*key).limit(limit)).mappings().all()
    if not found:
        return None
    return ExportedPage([_export(data, user_id, row) for row in found], tuple(found[-1][each.name] for each in key))


def _select(data: PersonalData, user_id: int) -> Select[Any]:
    """Return the query for a table's rows; some are found by the person's seats, in order."""
    found = data.table
    if found not in _BY_SEAT:
        return select(found)
    own = and_(seats.c.table_id == found.c.table_id, seats.c.seat == found.c.seat, seats.c.user_id == user_id)
    return select(found).join(seats, own)


def _condition(data: PersonalData, user_id: int) -> ColumnElement[bool] | None:
    """Return which rows are about a person; None if none are found by a person."""
    if data.table in _BY_SEAT:
        return true()
    if data.table is tables:
        own = select(seats.c.table_id).where(seats.c.user_id == user_id)
        return or_(tables.c.id.in_(own), tables.c.opener_id == user_id)
    columns = [data.table.c[name] for name in data.exported_by]
    return or_(*(column == user_id for column in columns)) if columns else None


def _export(data: PersonalData, user_id: int, row: Any) -> ExportedRow:
    kinds = data.kinds
    return {name: _cell(kinds[name], user_id, value) for name, value in row.items() if kinds[name] not in _LEFT_OUT}


def _cell(kind: Kind, user_id: int, value: Any) -> Json:
    if isinstance(value, datetime):
        return value.isoformat()
    if kind is Kind.PERSON and value not in (user_id, None, 0):
        return _SOMEONE
    return str(value) if kind in (Kind.PERSON, Kind.SERVER, Kind.PLACE, Kind.CLICK) and value else value
