"""Whole tables: loading, saving, and the revisions that are shown."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, Integer, and_, bindparam, case, func, literal, not_, or_, select, update

from bot.platform.database.sql import AnyRow
from bot.tables import rows, writing
from bot.tables.compacted_entries import decompress_entries
from bot.tables.events import CalledHooks
from bot.tables.model import NEVER_SHOWN, Award, Entry, PublishedRevision, Status, StoredTable, TableId, TableUpdate
from bot.tables.schema import badges_earned, compacted_moves, moves, seats, tables
from bot.tables.table import Table

# Statements are built once, so that SQLAlchemy's cache of compiled statements finds them fast.
_SHOWN = bindparam("shown", type_=Integer)
_IS_NEWEST = tables.c.published <= _SHOWN
_IS_REPLACED = or_(
    tables.c.published == func.coalesce(bindparam("replaces", type_=Integer), tables.c.published),
    # Another process has shown the same; if it has gone on since, what it shows now may have been overwritten.
    and_(tables.c.published == _SHOWN, tables.c.revision <= _SHOWN),
)
_UPDATE_PUBLISHED = (
    update(tables)
    .where(tables.c.id == bindparam("table_id"), or_(_IS_NEWEST, not_(_IS_REPLACED)))
    .values(
        published=case((_IS_REPLACED, _SHOWN), else_=NEVER_SHOWN),
        message_id=case((_IS_NEWEST, bindparam("message", type_=tables.c.message_id.type)), else_=tables.c.message_id),
    )
)
_SELECT_HEADER = select(tables).where(tables.c.id == bindparam("table_id"))
SELECT_SEATS = select(seats).where(seats.c.table_id == bindparam("table_id")).order_by(seats.c.seat)
SELECT_MOVES = select(moves).where(moves.c.table_id == bindparam("table_id")).order_by(moves.c.step)
_SELECT_COMPACTED = select(compacted_moves.c.entries).where(compacted_moves.c.table_id == bindparam("table_id"))
SELECT_AWARDS = (
    select(badges_earned)
    .where(badges_earned.c.table_id == bindparam("table_id"))
    .order_by(badges_earned.c.user_id, badges_earned.c.badge)
)
SELECT_NEWEST = select(func.max(tables.c.id)).where(
    tables.c.channel_id == bindparam("channel_id"), tables.c.solo_id.in_((literal(0), bindparam("solo_id")))
)

_PIECE_SIZE: Final = 256
"""Rows read at a time. A driver holds the interpreter's lock meanwhile, and with it the event loop."""


def load(connection: Connection, table_id: TableId) -> StoredTable | None:
    """Return a table with its seats and entries, or None if it does not exist."""
    """Return a table as it is stored, or None."""
    key = {"table_id": table_id}
    header = connection.execute(_SELECT_HEADER, key).one_or_none()
    if header is None:
        return None
    occupants = tuple(rows.occupant_of(row) for row in connection.execute(SELECT_SEATS, key))
    return StoredTable(
        rows.header_of(header),
        occupants,
        load_entries(connection, table_id) if header.step else (),
        awarded_at(connection, table_id) if header.status == Status.FINISHED.value else (),
    )


def awarded_at(connection: Connection, table_id: TableId) -> tuple[Award, ...]:
    """Return what was awarded at the end of a table."""
    return tuple(map(award_of, connection.execute(SELECT_AWARDS, {"table_id": table_id})))


def award_of(row: AnyRow) -> Award:
    """Return the award in a row."""
    return Award(row.user_id, row.badge, row.table_id, row.guild_id, row.earned_at)


def load_entries(connection: Connection, table_id: TableId) -> tuple[Entry, ...]:
    """Return the entries of a table, compacted or not."""
    key = {"table_id": table_id}
    # The rows first: if they are gone, the text is there, even if they are being compacted now.
    pieces = connection.execute(SELECT_MOVES, key).partitions(_PIECE_SIZE)
    if entries := tuple(rows.entry_of(row) for piece in pieces for row in piece):
        return entries
    compacted = connection.execute(_SELECT_COMPACTED, key).scalar_one_or_none()
    return () if compacted is None else decompress_entries(compacted)


def save(connection: Connection, change: TableUpdate, hooks: CalledHooks | None = None) -> Table | None:
    """Save a change of a table, with what features do in the same transaction. When this returns, it is on disk.

    Returns:
        The table as the features leave it; None if they are not called.

    Raises:
        Conflict: The stored revision is not the one before the header's.
        IntegrityError: The table is resumed, and its location has another open table.
        Exception: A feature forbids it.
    """
    if hooks is None:
        writing.save(connection, change)
        return None
    hooks.check(connection)
    writing.save(connection, change)
    return hooks.run(connection)


def find_newest(connection: Connection, channel_id: int, solo_id: int = 0) -> TableId | None:
    """Return the newest table of a channel, open or not; a person's solo game there if that is newer."""
    return connection.execute(SELECT_NEWEST, {"channel_id": channel_id, "solo_id": solo_id}).scalar_one_or_none()


def mark_published(connection: Connection, shown: Sequence[PublishedRevision]) -> None:
    """Store published revisions, which don't decrease in a single process.

    If a table's stored revision is not the one that was replaced, another process has shown the table meanwhile.
    Which of them was the last is unknown, so the table counts as never shown until a process that has read that
    shows it; except if both have shown the same, and nothing has followed it yet.
    """
    # Always in the same order, so that two processes that lock the same rows don't deadlock.
    in_order = sorted(shown, key=lambda s: s.table_id)
    connection.execute(
        _UPDATE_PUBLISHED,
        [
            {"table_id": s.table_id, "shown": s.revision, "message": s.message_id, "replaces": s.replaces}
            for s in in_order
        ],
    )
