"""Tables of games that are not hosted any more: they can't be played, but they can be closed."""

from dataclasses import replace
from datetime import datetime

from bot.rules.refusals import Refusal
from bot.tables.actions.idle import aside_of, may_be_put_aside
from bot.tables.model import Header, Person, Published, Record, Status, TableId
from bot.tables.ports import Conflict, Store
from bot.tables.refusals import HostReason, Stale


def game_gone(record: Record) -> Refusal:
    """Return the refusal of whatever is wished of a table whose game is not here."""
    header = record.header
    if not header.status.is_open:
        return Refusal(HostReason.UNKNOWN_TABLE)
    return Refusal(HostReason.GAME_GONE, table_id=header.id)


async def close_orphan(store: Store, table_id: TableId, person: Person, now: datetime, *, is_moderator: bool) -> Header:
    """Let the opener or a moderator close a table whose game is not here, and return its header.

    Nobody can show it any more, so it counts as shown.
    """
    record = await store.load(table_id)
    if record is None or not record.header.status.is_open:
        raise Refusal(HostReason.UNKNOWN_TABLE)
    if person.id != record.header.opener_id and not is_moderator:
        raise game_gone(record)
    return await _closed(store, record.header, Status.CANCELLED, now)


async def expire_orphan(store: Store, table_id: TableId, since: datetime, now: datetime) -> Header:
    """Close a lobby whose game is not here and that nobody has changed since a moment; raises Stale for any other."""
    record = await store.load(table_id)
    if record is None or record.header.status is not Status.LOBBY or record.header.updated_at > since:
        raise Stale(table_id)
    return await _closed(store, record.header, Status.EXPIRED, now)


async def put_orphan_aside(store: Store, table_id: TableId, channel_id: int, since: datetime, now: datetime) -> Header:
    """Make room where a silent table stands whose game is not here; raises Stale if it takes up none."""
    record = await store.load(table_id)
    if record is None or record.header.place.channel_id != channel_id:
        raise Refusal(HostReason.UNKNOWN_TABLE)
    header = record.header
    if not header.status.is_open:
        raise Stale(table_id)
    if not may_be_put_aside(header, since):
        raise game_gone(record)
    return await _closed(store, header, aside_of(header.status), now)


async def _closed(store: Store, header: Header, status: Status, now: datetime) -> Header:
    over = replace(header, status=status, to_move=None, awaits_computer=False)
    over = replace(over, revision=header.revision + 1, updated_at=now, awaited_since=now)
    try:
        await store.save(over, None, None)
    except Conflict:
        raise Stale(header.id) from None
    await store.mark_published([Published(header.id, over.revision, over.message_id)])
    return over
