"""Orphans: tables whose game is no longer installed. They can't be played or shown, but they can be closed."""

from dataclasses import replace
from datetime import datetime

from bot.platform.database.database import Database
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables import storage
from bot.tables.aside import aside_status, may_be_put_aside
from bot.tables.model import Header, PublishedRevision, Status, StoredTable, TableId, TableUpdate
from bot.tables.refusals import HostReason, OrphanFacts, Stale
from bot.tables.saving import save_change
from bot.tables.storage import Conflict


def game_gone_refusal(record: StoredTable) -> Refusal:
    """Return the refusal of any action at an orphan."""
    header = record.header
    if not header.status.is_open:
        return Refusal(HostReason.UNKNOWN_TABLE)
    return Refusal(HostReason.GAME_GONE, OrphanFacts(header.id))


async def close_orphan(db: Database, table_id: TableId, person: Person, now: datetime, *, is_moderator: bool) -> Header:
    """Close an orphan, for its opener or a moderator, and return its header."""
    record = await db.read(storage.load, table_id)
    if record is None or not record.header.status.is_open:
        raise Refusal(HostReason.UNKNOWN_TABLE)
    if person.id != record.header.opener_id and not is_moderator:
        raise game_gone_refusal(record)
    return await _close(db, record.header, Status.CANCELLED, now)


async def expire_orphan(db: Database, table_id: TableId, since: datetime, now: datetime) -> Header:
    """Close an orphaned lobby that has not changed since a time.

    Raises:
        Stale: The table is no lobby, or has changed since.
    """
    record = await db.read(storage.load, table_id)
    if record is None or record.header.status is not Status.LOBBY or record.header.updated_at > since:
        raise Stale(table_id)
    return await _close(db, record.header, Status.EXPIRED, now)


async def put_orphan_aside(db: Database, table_id: TableId, channel_id: int, since: datetime, now: datetime) -> Header:
    """Put an idle orphan aside.

    Raises:
        Stale: The table is not open.
        Refusal: There is no such table in the channel, or it is not idle.
    """
    record = await db.read(storage.load, table_id)
    if record is None or record.header.location.channel_id != channel_id:
        raise Refusal(HostReason.UNKNOWN_TABLE)
    header = record.header
    if not header.status.is_open:
        raise Stale(table_id)
    if not may_be_put_aside(header, since):
        raise game_gone_refusal(record)
    return await _close(db, header, aside_status(header.status), now)


async def _close(db: Database, header: Header, status: Status, now: datetime) -> Header:
    closed = replace(header, status=status, to_move=None, awaits_computer=False)
    closed = replace(closed, revision=header.revision + 1, updated_at=now, awaited_since=now)
    try:
        await save_change(db, TableUpdate(closed))
    except Conflict:
        raise Stale(header.id) from None
    # Without the game it can't be shown, so it counts as shown.
    await db.maintain(storage.mark_published, [PublishedRevision(header.id, closed.revision, closed.message_id)])
    return closed
