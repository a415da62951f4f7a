"""Changes of tables: what happens by them, what is stored, and what features do in the transactions that save them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Flag, auto

from sqlalchemy import Connection

from bot.tables.clocks import next_clock
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


class Happened(Flag):
    """What happens to a table. A move after which the game goes on is not among it, so that it calls no hook."""

    OPENED = auto()
    SEATED = auto()
    """People took seats."""
    CLOCK_STARTED = auto()
    ENDED = auto()
    """The table is over, with or without a result."""


@dataclass(frozen=True, slots=True)
class TableEvent:
    """A changed table, and what happened to it."""

    after: Table
    happened: Happened
    newcomers: frozenset[int] = frozenset()
    """The people who took seats."""


class NotTogether(Exception):
    """Not all people of a new table may share it; a feature raises it, and says who is to be left out."""

    def __init__(self, left_out: frozenset[int]) -> None:
        super().__init__()
        self.left_out = left_out


@dataclass(frozen=True, slots=True)
class Hook:
    """What a feature does in the transaction that saves certain events."""

    on: Happened
    check: Callable[[Connection, TableEvent], None] | None = None
    """Is called before the change is written, and forbids it by raising an exception."""
    in_transaction: Callable[[Connection, TableEvent], Table] | None = None
    """Is called after the change was written, and returns the table, which it may have changed."""


@dataclass(frozen=True, slots=True)
class CalledHooks:
    """The hooks that an event calls, in the order in which they were registered."""

    event: TableEvent
    hooks: Sequence[Hook]

    def check(self, connection: Connection) -> None:
        """Raise an exception if a feature forbids the change."""
        for hook in self.hooks:
            if hook.check is not None:
                hook.check(connection, self.event)

    def run(self, connection: Connection) -> Table:
        """Let the features follow the change, and return the table as they leave it."""
        event = self.event
        for hook in self.hooks:
            if hook.in_transaction is not None:
                event = replace(event, after=hook.in_transaction(connection, event))
        return event.after

    def run_opened(self, connection: Connection, header: Header) -> None:
        """Let the features follow the opening of a table, whose header has its id."""
        event = replace(self.event, after=replace(self.event.after, header=header))
        replace(self, event=event).run(connection)


def hooks_for(event: TableEvent, hooks: Sequence[Hook]) -> CalledHooks | None:
    """Return the hooks that an event calls, or None if it calls none."""
    called = [hook for hook in hooks if hook.on & event.happened]
    return CalledHooks(event, called) if called else None


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
    header = after.header
    if find_forced_end(after) is not None:
        # The sweep takes up a turn that ends by itself like a computer player's, whichever process serves the table.
        header = replace(header, awaits_computer=True)
    return TableUpdate(header, entry, None if after.seats is before.seats else after.seats)


def event_of(before: Table, after: Table, change: TableChange) -> TableEvent:
    """Return what happened to a table by a change, whose next revision is given."""
    happened = Happened(0)
    newcomers = frozenset[int]()
    if after.seats is not before.seats:
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
