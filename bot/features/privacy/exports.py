"""Queries for the stored data of a person, without other people's ids and names."""

from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Select, and_, bindparam, literal, or_, select, tuple_

from bot.features.privacy.model import ExportedPage, ExportedRow, Json, Key
from bot.features.privacy.personal_data import PERSONAL_DATA, Kind, PersonalData
from bot.tables.schema import move_values, moves, seats, tables
from bot.tables.storage import load_entries

EXPORTED_TABLES: Final = tuple(PERSONAL_DATA)
"""The names of the tables that an export covers."""

_SOMEONE: Final = "someone else"
_LEFT_OUT: Final = (Kind.HIDDEN, Kind.TEXT)
_TABLES_PER_PAGE: Final = 10
_SEAT_KEY: Final = (seats.c.table_id, seats.c.seat)
_SELECT_OWN_SEATS: Final = (
    select(*_SEAT_KEY)
    .where(
        seats.c.user_id == bindparam("user_id"),
        seats.c.table_id >= bindparam("after_table"),
        tuple_(*_SEAT_KEY) > tuple_(bindparam("after_table"), bindparam("after_seat")),
    )
    .order_by(*_SEAT_KEY)
    .limit(_TABLES_PER_PAGE)
)


def export_rows(connection: Connection, user_id: int, table: str, after: Key | None, limit: int) -> ExportedPage | None:
    """Return some rows about a person, after the row with a key; None if there are no more."""
    data = PERSONAL_DATA[table]
    if data.table is moves:
        return _export_moves(connection, user_id, after)
    query = _select_about(data, user_id)
    if query is None:
        return None
    key = list(data.table.primary_key.columns)
    if after is not None:
        if data.name == "reminders":
            # Without this, every page would begin at the person's first seat.
            query = query.where(seats.c.table_id >= after[0])
        query = query.where(tuple_(*key) > tuple_(*map(literal, after, (column.type for column in key))))
    found = connection.execute(query.order_by(*key).limit(limit)).mappings().all()
    if not found:
        return None
    return ExportedPage([_export(data, user_id, row) for row in found], tuple(found[-1][column.name] for column in key))


def _export_moves(connection: Connection, user_id: int, after: Key | None) -> ExportedPage | None:
    """Return a person's moves at some tables, compacted or not; the key is a seat's."""
    after_table, after_seat = after or (0, 0)
    place = {"user_id": user_id, "after_table": after_table, "after_seat": after_seat}
    own = connection.execute(_SELECT_OWN_SEATS, place).all()
    if not own:
        return None
    made = [
        _export(PERSONAL_DATA[moves.name], user_id, move_values(table_id, entry))
        for table_id, seat in own
        for entry in load_entries(connection, table_id)
        if entry.seat == seat
    ]
    return ExportedPage(made, tuple(own[-1]))


def _select_about(data: PersonalData, user_id: int) -> Select[Any] | None:
    """Build the query for a table's rows about a person; None if no column leads from a person to its rows."""
    found = data.table
    if data.name == "reminders":
        # Such rows are found through the person's seats, in order.
        own = and_(seats.c.table_id == found.c.table_id, seats.c.seat == found.c.seat, seats.c.user_id == user_id)
        return select(found).join(seats, own)
    if found is tables:
        seated = select(seats.c.table_id).where(seats.c.user_id == user_id)
        return select(found).where(or_(tables.c.id.in_(seated), tables.c.opener_id == user_id))
    columns = [found.c[name] for name in data.exported_by]
    return select(found).where(or_(*(column == user_id for column in columns))) if columns else None


def _export(data: PersonalData, user_id: int, row: Any) -> ExportedRow:
    kinds = data.kinds
    return {name: _cell(kinds[name], user_id, value) for name, value in row.items() if kinds[name] not in _LEFT_OUT}


def _cell(kind: Kind, user_id: int, value: Any) -> Json:
    if isinstance(value, datetime):
        return value.isoformat()
    if kind in (Kind.PERSON, Kind.KEPT) and value not in (user_id, None, 0):
        return _SOMEONE
    return str(value) if kind in (Kind.PERSON, Kind.KEPT, Kind.SERVER, Kind.PLACE, Kind.CLICK) and value else value
