"""Tables of games that are not hosted any more: they can't be played, but they can be closed."""

from dataclasses import replace
from datetime import datetime

from bot.rules.refusals import Refusal
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
    closed = _cancelled(record.header, now)
    try:
        await store.save(closed, None, None)
    except Conflict:
        raise Stale(table_id) from None
    await store.mark_published([Published(table_id, closed.revision, closed.message_id)])
    return closed


def _cancelled(header: Header, now: datetime) -> Header:
    over = replace(header, status=Status.CANCELLED, to_move=None, awaits_computer=False)
    return replace(over, revision=header.revision + 1, updated_at=now, awaited_since=now)
