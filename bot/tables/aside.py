"""Puts idle tables aside, resumes, keeps or abandons them, and closes orphans.

An orphan is a table whose game is no longer installed. It can't be played or shown.
"""

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables import storage
from bot.tables.events import TableChange
from bot.tables.model import AsideTable, Header, PublishedRevision, Status, TableId, TableUpdate
from bot.tables.refusals import (
    HostReason,
    OrphanFacts,
    PlaceTakenFacts,
    Stale,
    TableFacts,
    game_gone_refusal,
    refused_table,
)
from bot.tables.saving import save_change
from bot.tables.service import TableService
from bot.tables.storage import ChannelTaken, Conflict
from bot.tables.table import Table, derive_status, stop
from bot.tables.turns import require_remaining_seat

_NEVER: Final = datetime.min.replace(tzinfo=UTC)

_MAX_ASIDE: Final = 25
"""The most tables that a channel's menu offers to resume: Discord's limit."""


def is_idle(header: Header, since: datetime) -> bool:
    """Return whether a table has been idle since a time. Choosing pieces counts as activity, putting aside does not."""
    active_at = header.updated_at if header.status.is_aside else max(header.updated_at, header.awaited_since)
    return active_at <= since


def _may_be_put_aside(service: TableService, header: Header) -> bool:
    """Return whether a table is open, started and long idle, and in the way of others.

    A running turn clock prevents putting it aside.
    """
    limit = service.settings.idle_limits.put_aside_after
    since = _NEVER if limit is None else service.clock.ago(limit)
    is_timed = header.clock.ends_at is not None and not header.clock.is_up
    is_in_the_way = header.status.is_open and not (header.is_private or header.location.is_outside)
    return is_in_the_way and header.status.is_unfinished and not is_timed and is_idle(header, since)


async def table_in_the_way(service: TableService, table_id: TableId) -> Table:
    """Return the table that occupies a place.

    Raises:
        Refusal: The table is an orphan; GAME_GONE_IDLE if it can be put aside.
    """
    try:
        return await service.table(table_id)
    except Refusal as gone:
        record = await service.db.read(storage.load, table_id)
        if record is None or not _may_be_put_aside(service, record.header):
            raise
        raise Refusal(HostReason.GAME_GONE_IDLE, OrphanFacts(table_id)) from gone


def place_taken_refusal(service: TableService, there: Table, asker_id: int) -> Refusal:
    """Return the refusal for opening a table in an occupied place."""
    if there.header.location.solo_id:
        return Refusal(HostReason.SOLO_TAKEN, PlaceTakenFacts(there, asker_id))
    if _may_be_put_aside(service, there.header):
        return Refusal(HostReason.CHANNEL_IDLE, TableFacts(there))
    return Refusal(HostReason.CHANNEL_TAKEN, PlaceTakenFacts(there, asker_id))


def is_taken_by_others(refusal: Refusal, person_id: int) -> bool:
    """Return whether a table is refused because of the channel's table, where the person does not play."""
    there = refused_table(refusal)
    return refusal.reason is HostReason.CHANNEL_TAKEN and there is not None and there.seat_of(person_id) is None


async def put_aside(service: TableService, table_id: TableId, channel_id: int) -> Header | None:
    """Put an idle table aside; do nothing if it is not open.

    Returns:
        The header if the table is an orphan, so that its message can be marked closed.

    Raises:
        Refusal: The table is not in the channel, or not idle.
    """

    def decide(table: Table) -> TableChange:
        status = table.header.status
        if table.header.location.channel_id != channel_id:
            raise Refusal(HostReason.UNKNOWN_TABLE)
        if not status.is_open:
            raise Stale(table.id)
        if not _may_be_put_aside(service, table.header):
            raise Refusal(HostReason.CHANNEL_TAKEN, TableFacts(table))
        return TableChange(stop(table, _aside_status(status)), is_quiet=True)

    with contextlib.suppress(Stale):
        try:
            await service.change(table_id, decide)
        except Refusal as refusal:
            if refusal.reason not in (HostReason.GAME_GONE, HostReason.UNKNOWN_TABLE):
                raise
            return await _put_orphan_aside(service, table_id, channel_id)
    return None


def _aside_status(status: Status) -> Status:
    """Return the status of a table once it is put aside. A held table stays held, because its seed may be known."""
    return Status.HELD_ASIDE if status is Status.HELD else Status.ASIDE


async def resume(service: TableService, table_id: TableId, person: Person, *, is_moderator: bool) -> Table:
    """Resume a table that was put aside, for a player or a moderator.

    Raises:
        Stale: The table is open.
        Refusal: The table is over, its channel has another table, or the person may not resume it.
    """

    def action(table: Table) -> Table:
        status = table.header.status
        if status.is_open:
            raise Stale(table.id)
        if not status.is_aside:
            raise Refusal(HostReason.TABLE_OVER, TableFacts(table))
        if table.seat_of(person.id) is None and not is_moderator:
            raise Refusal(HostReason.NOT_YOURS_TO_RESUME, TableFacts(table))
        if table.state is None:
            return stop(table, Status.HELD)
        return derive_status(table, table.header.step)

    try:
        return await service.replace(table_id, action)
    except ChannelTaken as taken:
        there = await table_in_the_way(service, taken.table_id)
        refusal = place_taken_refusal(service, there, person.id)
        if refusal.reason is HostReason.CHANNEL_TAKEN:
            refusal = Refusal(HostReason.RESUME_TAKEN, TableFacts(there))
        raise refusal from taken


async def list_aside_tables(service: TableService, channel_id: int) -> Sequence[AsideTable]:
    """Return the tables put aside in a channel, newest first."""
    return await service.db.read(storage.find_put_aside, channel_id, _MAX_ASIDE)


async def keep_open(service: TableService, table_id: TableId, person: Person) -> Table:
    """Mark an idle table as still in use, for a player who has not resigned."""

    def action(table: Table) -> Table:
        if not table.header.status.is_unfinished:
            raise Refusal(HostReason.TABLE_OVER, TableFacts(table))
        require_remaining_seat(table, person)
        return table

    return await service.replace(table_id, action, person.id)


async def abandon(service: TableService, table_id: TableId, since: datetime) -> Table:
    """Close a table that has been idle since a time.

    Raises:
        Stale: The table has not started, is over, or is not idle.
    """

    def action(table: Table) -> Table:
        if not (table.header.status.is_unfinished and is_idle(table.header, since)):
            raise Stale(table.id)
        return stop(table, Status.ABANDONED)

    return await service.replace(table_id, action)


async def close_orphan(service: TableService, table_id: TableId, person: Person, *, is_moderator: bool) -> Header:
    """Close an orphan, for its opener or a moderator, and return its header."""
    record = await service.db.read(storage.load, table_id)
    if record is None or not record.header.status.is_open:
        raise Refusal(HostReason.UNKNOWN_TABLE)
    if person.id != record.header.opener_id and not is_moderator:
        raise game_gone_refusal(record.header)
    return await _close_orphan(service, record.header, Status.CANCELLED)


async def expire_orphan(service: TableService, table_id: TableId, since: datetime) -> Header:
    """Close an orphaned lobby that has not changed since a time.

    Raises:
        Stale: The table is no lobby, or has changed since.
    """
    record = await service.db.read(storage.load, table_id)
    if record is None or record.header.status is not Status.LOBBY or record.header.updated_at > since:
        raise Stale(table_id)
    return await _close_orphan(service, record.header, Status.EXPIRED)


async def _put_orphan_aside(service: TableService, table_id: TableId, channel_id: int) -> Header:
    """Put an idle orphan aside.

    Raises:
        Stale: The table is not open.
        Refusal: There is no such table in the channel, or it is not idle.
    """
    record = await service.db.read(storage.load, table_id)
    if record is None or record.header.location.channel_id != channel_id:
        raise Refusal(HostReason.UNKNOWN_TABLE)
    header = record.header
    if not header.status.is_open:
        raise Stale(table_id)
    if not _may_be_put_aside(service, header):
        raise game_gone_refusal(header)
    return await _close_orphan(service, header, _aside_status(header.status))


async def _close_orphan(service: TableService, header: Header, status: Status) -> Header:
    now = service.clock()
    closed = replace(header, status=status, to_move=None, awaits_computer=False)
    closed = replace(closed, revision=header.revision + 1, updated_at=now, awaited_since=now)
    try:
        await save_change(service.db, TableUpdate(closed))
    except Conflict:
        raise Stale(header.id) from None
    # A table can't be shown without its game, so it counts as shown.
    await service.db.maintain(
        storage.mark_published, [PublishedRevision(header.id, closed.revision, closed.message_id)]
    )
    return closed
