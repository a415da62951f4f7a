"""Whole tables: loading, saving, and the revisions that are shown."""

from collections.abc import Sequence
from typing import Final

from sqlalchemy import Connection, Integer, and_, bindparam, case, func, literal, not_, or_, select, update

from bot.features.badges import storage as badges
from bot.features.blocks import storage as blocks
from bot.features.blocks.model import people_in
from bot.features.turn_clocks import storage as clocks
from bot.tables import rows, writing
from bot.tables.compacted_entries import decompress_entries
from bot.tables.model import NEVER_SHOWN, Award, Entry, PublishedRevision, Status, StoredTable, TableId, TableUpdate
from bot.tables.schema import compacted_moves, moves, seats, tables

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
SELECT_NEWEST = select(func.max(tables.c.id)).where(
    tables.c.channel_id == bindparam("channel_id"), tables.c.solo_id.in_((literal(0), bindparam("solo_id")))
)

_PIECE_SIZE: Final = 256
"""Rows read at a time. A driver holds the interpreter's lock meanwhile, and with it the event loop."""


def load(connection: Connection, table_id: TableId) -> StoredTable | None:
    """Return a table with its seats and entries, or None if it does not exist."""
    key = {"table_id": table_id}
    header = connection.execute(_SELECT_HEADER, key).one_or_none()
    if header is None:
        return None
    occupants = tuple(rows.occupant_of(row) for row in connection.execute(SELECT_SEATS, key))
    return StoredTable(
        rows.header_of(header),
        occupants,
        load_entries(connection, table_id) if header.step else (),
        badges.awarded_at(connection, table_id) if header.status == Status.FINISHED.value else (),
    )


def load_entries(connection: Connection, table_id: TableId) -> tuple[Entry, ...]:
    """Return the entries of a table, compacted or not."""
    key = {"table_id": table_id}
    # The rows first: if they are gone, the text is there, even if they are being compacted now.
    pieces = connection.execute(SELECT_MOVES, key).partitions(_PIECE_SIZE)
    if entries := tuple(rows.entry_of(row) for piece in pieces for row in piece):
        return entries
    compacted = connection.execute(_SELECT_COMPACTED, key).scalar_one_or_none()
    return () if compacted is None else decompress_entries(compacted)


def save(connection: Connection, change: TableUpdate) -> Sequence[Award]:
    """Save a change of a table. When this returns, it is on disk.

    If the change finishes the table, badges are awarded in the same transaction: those of the game that people
    did not have yet, and those that their results so far have earned.

    Returns:
        The badges that were awarded.

    Raises:
        Conflict: The stored revision is not the one before the header's.
        ChannelTaken: The table is resumed, and its location has another open table.
        SeatBlocked: A newcomer and someone who has a seat block each other.
    """
    if change.newcomers:
        blocks.require_none(connection, people_in(change.seats or ()), change.newcomers)
    writing.save(connection, change)
    if change.starts_clock:
        clocks.schedule(connection, change.header)
    return badges.award(connection, change) if change.results else ()


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
