"""Changes of tables: how the next revision follows from the one before."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from bot.tables.clocks import next_clock
from bot.tables.model import Entry, Header, Status
from bot.tables.table import Table


@dataclass(frozen=True, slots=True)
class TableChange:
    """A changed table, and how it was changed."""

    table: Table
    entry: Entry | None = None
    changed_by: int | None = None
    """The person who made a change without an entry; None if it was the opener in a lobby, or an outsider."""
    is_quiet: bool = False
    """Whether the change is no activity at the table, so that `updated_at` stays."""


DecideChange = Callable[[Table], TableChange]


def next_revision(before: Table, change: TableChange, now: datetime, *, restarts_wait: bool) -> Table:
    """Return the table after a change, with the next revision, its clock, and when it was changed."""
    table, entry = change.table, change.entry
    clock = next_clock(before, table, now, has_acted=restarts_wait)
    since = now if restarts_wait else table.header.awaited_since
    changed_at = table.header.updated_at if change.is_quiet else now
    revision = table.header.revision + 1
    header = replace(table.header, revision=revision, updated_at=changed_at, awaited_since=since, clock=clock)
    click_id = table.click_id if entry is None or entry.click_id is None else entry.click_id
    return replace(table, header=header, click_id=click_id)


def restarts_wait(before: Header, change: TableChange) -> bool:
    """Return whether the waiting time starts over: for another player, or because the awaited player acted."""
    after, entry = change.table.header, change.entry
    if change.is_quiet and after.to_move is not None:
        return False
    if after.status is Status.LOBBY:
        return change.changed_by in (None, after.opener_id) or before.opener_id != after.opener_id
    if entry is None and change.changed_by is not None:
        return change.table.seat_of(change.changed_by) == after.to_move
    if entry is None or (before.to_move, before.awaits_computer) != (after.to_move, after.awaits_computer):
        return True
    return entry.seat == after.to_move
