"""Changes of tables: their events, the rows to store, and the hooks of features that run in the same transaction."""

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
    """A changed table, with the entry or person that changed it."""

    table: Table
    entry: Entry | None = None
    changed_by: int | None = None
    """The person who made a change without an entry; None for the opener of a lobby and for outsiders."""
    is_quiet: bool = False
    """Whether the change does not count as activity, so that `updated_at` stays."""


DecideChange = Callable[[Table], TableChange]


class Happened(Flag):
    """The events that call hooks. Most moves after which the game goes on are none of them."""

    OPENED = auto()
    SEATED = auto()
    """People took seats."""
    PLAYED = auto()
    """The game has started, or was resumed."""
    CLOCK_STARTED = auto()
    EARNED = auto()
    """A move has earned badges, or those of earlier moves can't be taken back any more."""
    ENDED = auto()
    """The table is over, with or without a result."""


@dataclass(frozen=True, slots=True)
class TableEvent:
    """A changed table, with the events of the change."""

    after: Table
    happened: Happened
    newcomers: frozenset[int] = frozenset()
    """The people who took seats."""


class NotTogether(Exception):
    """Some people may not share a new table; the feature that raises this names the people to leave out."""

    def __init__(self, left_out: frozenset[int]) -> None:
        super().__init__()
        self.left_out = left_out


@dataclass(frozen=True, slots=True)
class Hook:
    """Functions of a feature that run in the transaction that saves certain events."""

    on: Happened
    check: Callable[[Connection, TableEvent], None] | None = None
    """Called before the change is written; forbids it by raising an exception."""
    in_transaction: Callable[[Connection, TableEvent], Table] | None = None
    """Called after the change is written; returns the table, perhaps changed."""


@dataclass(frozen=True, slots=True)
class CalledHooks:
    """The hooks that an event calls, in the order of registration."""

    event: TableEvent
    hooks: Sequence[Hook]

    def check(self, connection: Connection) -> None:
        """Raise an exception if a feature forbids the change."""
        for hook in self.hooks:
            if hook.check is not None:
                hook.check(connection, self.event)

    def run(self, connection: Connection) -> Table:
        """Call the hooks after the change, and return the table as they leave it."""
        event = self.event
        for hook in self.hooks:
            if hook.in_transaction is not None:
                event = replace(event, after=hook.in_transaction(connection, event))
        return event.after

    def run_opened(self, connection: Connection, header: Header) -> None:
        """Call the hooks after a table was opened; its header has the id."""
        event = replace(self.event, after=replace(self.event.after, header=header))
        replace(self, event=event).run(connection)


def hooks_for(event: TableEvent, hooks: Sequence[Hook]) -> CalledHooks | None:
    """Return the hooks that an event calls, or None if it calls none."""
    called = [hook for hook in hooks if hook.on & event.happened]
    return CalledHooks(event, called) if called else None


def next_revision(before: Table, change: TableChange, now: datetime) -> Table:
    """Return the changed table with the next revision, the updated clock and the time of the change."""
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
    """Return the update to store for a change, with its entry if it has one."""
    header = after.header
    if find_forced_end(after) is not None:
        # The sweep handles a forced end like a computer player's turn, whichever process serves the table.
        header = replace(header, awaits_computer=True)
    return TableUpdate(header, entry, None if after.seats is before.seats else after.seats)


def event_of(before: Table, after: Table, change: TableChange) -> TableEvent:
    """Return the event of a change; `after` is the table with its next revision."""
    happened = Happened(0)
    newcomers = frozenset[int]()
    if after.seats is not before.seats:
        newcomers = people_in(after.seats) - people_in(before.seats)
    if newcomers:
        happened |= Happened.SEATED
    if after.header.status is Status.PLAYING and before.header.status is not Status.PLAYING:
        happened |= Happened.PLAYED
    ends_at = after.header.clock.ends_at
    # Quiet changes of a clock, made by the host, leave its jobs alone.
    if ends_at not in (None, before.header.clock.ends_at) and not change.is_quiet:
        happened |= Happened.CLOCK_STARTED
    if after.lasting_badges - before.lasting_badges:
        happened |= Happened.EARNED
    if after.header.status.is_over and not before.header.status.is_over:
        happened |= Happened.ENDED
    return TableEvent(after, happened, newcomers)


def _restarts_wait(before: Header, change: TableChange) -> bool:
    """Return whether the waiting time starts over, because another player is awaited or the awaited one has acted."""
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
