"""Writes a move in a single statement, for databases whose statements can write to two tables."""

from functools import cache

from sqlalchemy import Connection, Insert, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.store import rows
from bot.store.schema import moves, tables
from bot.tables.model import Entry, Header, TableId
from bot.tables.ports import Conflict

# The two tables share column names.
_HEADER_PREFIX = "header_"
_ENTRY_PREFIX = "entry_"

_SELECT_MOVE = select(moves).where(moves.c.table_id == bindparam("table_id"), moves.c.step == bindparam("step"))


def save_move(connection: Connection, header: Header, entry: Entry) -> None:
    """Write a changed header and the entry that changed it, both or neither.

    A second attempt, after the first one's answer was lost, recognises the entry and succeeds.

    Raises:
        Conflict: The stored revision is not the expected one, or the step exists.
    """
    changed, added = rows.changed_table_values(header), rows.move_values(header.id, entry)
    values = {_HEADER_PREFIX + name: value for name, value in changed.items()}
    values |= {_ENTRY_PREFIX + name: value for name, value in added.items()}
    try:
        saved = connection.execute(
            _build_statement(tuple(changed), tuple(added)), values | {"expected": header.revision - 1}
        )
    except IntegrityError as error:
        raise Conflict(header.id) from error
    if saved.rowcount == 0 and not _is_written(connection, header.id, entry):
        raise Conflict(header.id)


def _is_written(connection: Connection, table_id: TableId, entry: Entry) -> bool:
    """Return whether this very entry is stored. Another process's entry for the same click has another time."""
    row = connection.execute(_SELECT_MOVE, {"table_id": table_id, "step": entry.step}).one_or_none()
    return row is not None and rows.entry_of(row) == entry


# 80 us of a move.
@cache
def _build_statement(changed: tuple[str, ...], added: tuple[str, ...]) -> Insert:
    """Build the statement, which inserts the entry only if the header was updated."""
    of_table = update(tables).where(
        tables.c.id == bindparam(f"{_ENTRY_PREFIX}table_id"), tables.c.revision == bindparam("expected")
    )
    header = (
        of_table.values({name: bindparam(_HEADER_PREFIX + name) for name in changed})
        .returning(tables.c.id)
        .cte("header")
    )
    entry = [bindparam(_ENTRY_PREFIX + name, type_=moves.c[name].type).label(name) for name in added]
    statement = insert(moves).from_select(added, select(*entry).select_from(header))
    # SQLAlchemy keeps no row count of inserts by default.
    return statement.execution_options(preserve_rowcount=True)
