"""Changes of tables: how the next revision follows from the one before, and what of it is stored."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from bot.tables.clocks import next_clock
from bot.tables.events import Happened, TableEvent
from bot.tables.model import Entry, Header, Status, TableUpdate, people_in
from bot.tables.table import Table
from bot.tables.turns import find_forced_end


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


def next_revision(before: Table, change: TableChange, now: datetime) -> Table:
    """Return the table after a change, with the next revision, its clock, and when it was changed."""
    table, entry = change.table, change.entry
    restarts_wait = _restarts_wait(before.header, change)
    clock = next_clock(before, table, now, has_acted=restarts_wait)
    since = now if restarts_wait else table.header.awaited_since
    changed_at = table.header.updated_at if change.is_quiet else now
    revision = table.header.revision + 1
    header = replace(table.header, revision=revision, updated_at=changed_at, awaited_since=since, clock=clock)
    click_id = table.click_id if entry is None or entry.click_id is None else entry.click_id
    return replace(table, header=header, click_id=click_id)


def update_of(before: Table, after: Table, entry: Entry | None) -> TableUpdate:
    """Return what to store of a change, which an entry may have made."""
    return TableUpdate(_stored_header(after), entry, None if after.seats is before.seats else after.seats)


def event_of(before: Table, after: Table, change: TableChange) -> TableEvent:
    """Return what happened to a table by a change, whose next revision is given."""
    happened = Happened(0)
    newcomers = people_in(after.seats) - people_in(before.seats)
    if newcomers:
        happened |= Happened.SEATED
    ends_at = after.header.clock.ends_at
    # What the host does to a clock leaves its jobs alone.
    if ends_at not in (None, before.header.clock.ends_at) and not change.is_quiet:
        happened |= Happened.CLOCK_STARTED
    if after.header.status.is_over and not before.header.status.is_over:
        happened |= Happened.ENDED
    return TableEvent(after, happened, newcomers)


def _stored_header(table: Table) -> Header:
    """Return the header to store: a turn that ends by itself awaits the host, so the sweep takes it up anywhere."""
    return table.header if find_forced_end(table) is None else replace(table.header, awaits_computer=True)


def _restarts_wait(before: Header, change: TableChange) -> bool:
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
