"""A move written by a single statement, for databases that have statements which write to two tables."""

from functools import cache

from sqlalchemy import Connection, Insert, bindparam, insert, select, update
from sqlalchemy.exc import IntegrityError

from bot.store import rows
from bot.store.schema import moves, tables
from bot.tables.model import Entry, Header, TableId
from bot.tables.ports import Conflict

# The two rows have columns of the same name.
_HEADER_PREFIX = "header_"
_ENTRY_PREFIX = "entry_"

_SELECT_MOVE = select(moves).where(moves.c.table_id == bindparam("table_id"), moves.c.step == bindparam("step"))


def save_move(connection: Connection, header: Header, entry: Entry) -> None:
    """Write a changed header and the move that changed it, both or neither; raises Conflict.

    When the answer to a first attempt was lost, a second one finds what the first has written, and that is no conflict.
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
    """Tell whether this very entry is there: the same click's in another process has another moment."""
    row = connection.execute(_SELECT_MOVE, {"table_id": table_id, "step": entry.step}).one_or_none()
    return row is not None and rows.entry_of(row) == entry


@cache
def _build_statement(changed: tuple[str, ...], added: tuple[str, ...]) -> Insert:
    """Build the statement: the move is added only where the header was changed."""
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
    # SQLAlchemy forgets how many rows an insertion made, unless it is told not to.
    return statement.execution_options(preserve_rowcount=True)
