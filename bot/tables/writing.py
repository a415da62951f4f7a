"""Writes tables, their seats and their entries."""

from collections.abc import Sequence
from functools import lru_cache

from sqlalchemy import Connection, Insert, bindparam, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.platform.database.sql import Values
from bot.tables import rows
from bot.tables.errors import Conflict
from bot.tables.model import Entry, Header, Occupant, TableId, TableUpdate
from bot.tables.schema import moves, seats, tables

_INSERT_TABLE = insert(tables).returning(tables.c.id)
_UPDATE_TABLE = update(tables).where(tables.c.id == bindparam("table_id"), tables.c.revision == bindparam("expected"))
_INSERT_SEATS = insert(seats)
_DELETE_SEATS = delete(seats).where(seats.c.table_id == bindparam("table_id"))
_INSERT_MOVE = insert(moves)


def add_table(connection: Connection, header: Header) -> TableId:
    """Insert a table and return its id.

    Raises:
        IntegrityError: Its place or its part of a series is taken. The transaction goes on.
    """
    with connection.begin_nested():
        table_id: TableId = connection.execute(_INSERT_TABLE, rows.new_table_values(header)).scalar_one()
    return table_id


def add_seats(connection: Connection, table_id: TableId, occupants: Sequence[Occupant]) -> None:
    """Insert the seats of a table."""
    values = [rows.seat_values(table_id, seat, occupant) for seat, occupant in enumerate(occupants)]
    if values:
        connection.execute(_INSERT_SEATS, values)


def save_move(connection: Connection, header: Header, entry: Entry) -> None:
    """Write a header and the move that changed it, with only the columns that moves change.

    Raises:
        Conflict: The stored revision is not the expected one, or the move exists.
    """
    if connection.dialect.name == "postgresql":
        _save_move_by_statement(connection, header, entry)
        return
    _update_table(connection, header, rows.moved_table_values(header))
    _insert_once(connection, header.id, _INSERT_MOVE, rows.move_values(header.id, entry))


def save(connection: Connection, change: TableUpdate) -> None:
    """Write the changes of a table.

    Raises:
        Conflict: The stored revision is not the expected one, or the move exists.
    """
    header = change.header
    _update_table(connection, header, rows.changed_table_values(header))
    if change.seats is not None:
        connection.execute(_DELETE_SEATS, {"table_id": header.id})
        add_seats(connection, header.id, change.seats)
    if change.entry is not None:
        _insert_once(connection, header.id, _INSERT_MOVE, rows.move_values(header.id, change.entry))


def _update_table(connection: Connection, header: Header, values: Values) -> None:
    """Write columns of a header, raising Conflict unless the stored revision is the one before the header's."""
    key = {"table_id": header.id, "expected": header.revision - 1}
    if connection.execute(_UPDATE_TABLE, key | values).rowcount == 0:
        raise Conflict(header.id)


def _insert_once(connection: Connection, table_id: TableId, statement: Insert, values: Values | list[Values]) -> None:
    """Insert rows, raising Conflict if they exist."""
    try:
        connection.execute(statement, values)
    except IntegrityError as error:
        raise Conflict(table_id) from error


def _save_move_by_statement(connection: Connection, header: Header, entry: Entry) -> None:
    """Write the header and the move with one statement: both or neither."""
    changed, added = rows.moved_table_values(header), rows.move_values(header.id, entry)
    values = {f"{name}_of_table": value for name, value in changed.items()}
    values |= {f"{name}_of_move": value for name, value in added.items()}
    statement = _build_move(tuple(changed), tuple(added))
    try:
        saved = connection.execute(statement, {**values, "expected": header.revision - 1})
    except IntegrityError as error:
        raise Conflict(header.id) from error
    if saved.rowcount == 0 and not _was_saved(connection, header, entry):
        raise Conflict(header.id)


# Building the statement takes more processor time than all the rest of saving a move.
@lru_cache(maxsize=16)
def _build_move(changed: tuple[str, ...], added: tuple[str, ...]) -> Insert:
    table = (
        update(tables)
        .where(tables.c.id == bindparam("table_id_of_move"), tables.c.revision == bindparam("expected"))
        .values({name: bindparam(f"{name}_of_table") for name in changed})
        .returning(tables.c.id)
        .cte("changed")
    )
    # If no table was changed, this selects no row.
    move = select(*(bindparam(f"{name}_of_move", type_=moves.c[name].type) for name in added)).select_from(table)
    # SQLAlchemy keeps no row count of inserts by default.
    return insert(moves).from_select(added, move).execution_options(preserve_rowcount=True)


def _was_saved(connection: Connection, header: Header, entry: Entry) -> bool:
    """Return whether an earlier attempt, whose answer was lost, has saved this very entry.

    Another process's entry for the same click has another time.
    """
    stored = connection.execute(
        select(moves).where(moves.c.table_id == header.id, moves.c.step == entry.step)
    ).one_or_none()
    if stored is None or rows.entry_of(stored) != entry:
        return False
    # The standby may lack the commit of that attempt. This statement changes nothing, but its commit waits for both.
    connection.execute(update(tables).where(tables.c.id == header.id).values(revision=tables.c.revision))
    return True
