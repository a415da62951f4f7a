"""How tables are written, on every database: by a statement for each part."""

from collections.abc import Sequence

from sqlalchemy import Connection, Insert, bindparam, delete, insert, update
from sqlalchemy.exc import IntegrityError

from bot.store import rows
from bot.store.schema import moves, results, seats, tables
from bot.tables.model import Entry, Header, Occupant, Result, TableId
from bot.tables.ports import Conflict

_NEW_TABLE = insert(tables).returning(tables.c.id)
CHANGED_TABLE = update(tables).where(tables.c.id == bindparam("table_id"), tables.c.revision == bindparam("expected"))
_NEW_SEATS = insert(seats)
_NO_SEATS = delete(seats).where(seats.c.table_id == bindparam("table_id"))
NEW_MOVE = insert(moves)
_NEW_RESULTS = insert(results)


def add_table(connection: Connection, header: Header) -> TableId:
    """Add a table and return its number; raises IntegrityError, and nothing else is undone, where it is in the way."""
    with connection.begin_nested():
        table_id: TableId = connection.execute(_NEW_TABLE, rows.new_table(header)).scalar_one()
    return table_id


def sit(connection: Connection, table_id: TableId, occupants: Sequence[Occupant]) -> None:
    """Add who sits at a table."""
    taken = [rows.seat_values(table_id, seat, occupant) for seat, occupant in enumerate(occupants)]
    if taken:
        connection.execute(_NEW_SEATS, taken)


def save(
    connection: Connection,
    header: Header,
    occupants: Sequence[Occupant] | None,
    entry: Entry | None,
    results: Sequence[Result],
) -> None:
    """Write what has changed of a table; raises Conflict where another revision is there, or what is written once."""
    if connection.execute(CHANGED_TABLE, key_of(header) | rows.changed_table(header)).rowcount == 0:
        raise Conflict(header.id)
    if occupants is not None:
        connection.execute(_NO_SEATS, {"table_id": header.id})
        sit(connection, header.id, occupants)
    if entry is not None:
        _add(connection, header.id, NEW_MOVE, rows.move_values(header.id, entry))
    if results:
        _add(connection, header.id, _NEW_RESULTS, [rows.result_values(result) for result in results])


def key_of(header: Header) -> rows.Values:
    """Return what finds the row that a header is written to: the table, and the revision before the header's own."""
    return {"table_id": header.id, "expected": header.revision - 1}


def _add(connection: Connection, table_id: TableId, statement: Insert, values: rows.Values | list[rows.Values]) -> None:
    """Add what is written once; whoever comes second has a conflict."""
    try:
        connection.execute(statement, values)
    except IntegrityError as error:
        raise Conflict(table_id) from error
