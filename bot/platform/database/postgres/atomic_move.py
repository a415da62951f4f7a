"""Writes a move in a single statement, which may travel with others or be written alone."""

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from sqlalchemy import Connection, Dialect, Engine, Insert, bindparam, insert, select, update
from sqlalchemy.dialects.postgresql import psycopg as psycopg_dialect
from sqlalchemy.exc import IntegrityError

from bot.platform.database.compiled import compile_statement
from bot.platform.database.postgres.connection import transact_autocommit
from bot.platform.database.postgres.move_connection import BoundStatement
from bot.tables import rows
from bot.tables.model import Entry, Header, TableId
from bot.tables.ports import Conflict, OutcomeUnknown, StoreUnavailable
from bot.tables.schema import moves, tables

# SQLAlchemy has no types for the dialects of PostgreSQL.
_DIALECT: Final[Dialect] = psycopg_dialect.dialect(paramstyle="numeric_dollar")  # type: ignore[no-untyped-call]

_TOO_LATE: Final = "the moves before it took too long"

# The two tables share column names.
_HEADER_PREFIX = "header_"
_ENTRY_PREFIX = "entry_"
_EXPECTED = "expected"

_SELECT_MOVE = select(moves).where(moves.c.table_id == bindparam("table_id"), moves.c.step == bindparam("step"))
_TOUCH: Final = update(tables).where(tables.c.id == bindparam("which")).values(revision=tables.c.revision)
"""Changes nothing, but its commit waits for the standby."""


class Move(NamedTuple):
    """A changed header, and the entry that changed it."""

    header: Header
    entry: Entry


def bind_move(move: Move) -> BoundStatement:
    """Return the statement of a move.

    Raises:
        StatementError: A value has the wrong type.
    """
    statement, values = _build(move)
    compiled = compile_statement(statement, (), _DIALECT)
    return BoundStatement(compiled.text, compiled.bind(values))


def save_each(
    engine: Engine, moves: Sequence[Move], may_be_saved: Sequence[bool], *, deadline: float
) -> Sequence[Exception | None]:
    """Save moves alone that were sent together, and return the error of each that can't be saved.

    Args:
        engine: The engine, which commits each statement.
        moves: The moves.
        may_be_saved: Whether each may be saved already.
        deadline: The monotonic time after which no more are tried, because the callers have given up.
    """
    return [
        _try_alone(engine, move, deadline, may_be_saved=is_unknown)
        for move, is_unknown in zip(moves, may_be_saved, strict=True)
    ]


def _try_alone(engine: Engine, move: Move, deadline: float, *, may_be_saved: bool) -> Exception | None:
    if time.monotonic() >= deadline:
        # Who waits for it has been told so.
        return OutcomeUnknown(_TOO_LATE) if may_be_saved else StoreUnavailable(_TOO_LATE)
    try:
        transact_autocommit(engine, lambda connection: save_move(connection, *move), deadline=deadline)
    except StoreUnavailable as fault:
        return OutcomeUnknown(str(fault)) if may_be_saved else fault
    except Exception as error:  # noqa: BLE001 - who waits for this move raises it
        return error
    return None


def save_move(connection: Connection, header: Header, entry: Entry) -> None:
    """Write a changed header and the entry that changed it, both or neither.

    A second attempt, after the first one's answer was lost, recognises the entry and succeeds.

    Raises:
        Conflict: The stored revision is not the expected one, or the step exists.
    """
    statement, values = _build(Move(header, entry))
    try:
        saved = connection.execute(statement, values)
    except IntegrityError as error:
        raise Conflict(header.id) from error
    if saved.rowcount == 0:
        if not _is_written(connection, header.id, entry):
            raise Conflict(header.id)
        # The commit that wrote it may have been cut off before the standby had it; one after it waits for both.
        connection.execute(_TOUCH, {"which": header.id})


def _is_written(connection: Connection, table_id: TableId, entry: Entry) -> bool:
    """Return whether this very entry is stored. Another process's entry for the same click has another time."""
    row = connection.execute(_SELECT_MOVE, {"table_id": table_id, "step": entry.step}).one_or_none()
    return row is not None and rows.entry_of(row) == entry


def _build(move: Move) -> tuple[Insert, rows.Values]:
    header, entry = move
    changed, added = rows.moved_table_values(header), rows.move_values(header.id, entry)
    statement, names = _build_statement(tuple(changed), tuple(added))
    return statement, dict(zip(names, (*changed.values(), *added.values(), header.revision - 1), strict=True))


# 80 us of a move.
@lru_cache(maxsize=256)
def _build_statement(changed: tuple[str, ...], added: tuple[str, ...]) -> tuple[Insert, Sequence[str]]:
    """Build the statement, which inserts the entry only if the header was updated.

    Return it with the names of its values: those of the header, those of the entry, and the expected revision.
    """
    of_header = {name: _HEADER_PREFIX + name for name in changed}
    of_entry = {name: _ENTRY_PREFIX + name for name in added}
    of_table = update(tables).where(
        tables.c.id == bindparam(of_entry["table_id"]), tables.c.revision == bindparam(_EXPECTED)
    )
    header = (
        of_table.values({name: bindparam(key) for name, key in of_header.items()}).returning(tables.c.id).cte("header")
    )
    entry = [bindparam(key, type_=moves.c[name].type).label(name) for name, key in of_entry.items()]
    statement = insert(moves).from_select(added, select(*entry).select_from(header))
    # SQLAlchemy keeps no row count of inserts by default.
    counted = statement.execution_options(preserve_rowcount=True)
    return counted, (*of_header.values(), *of_entry.values(), _EXPECTED)
