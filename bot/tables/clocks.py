"""The turn clock of a table: its choice in the lobby, its start with each turn, and decisions when time is up."""

from dataclasses import replace
from datetime import datetime

from bot.platform.clock import Downtime
from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.control_entries import Substitute
from bot.tables.model import ClockState, Status, TurnClock
from bot.tables.refusals import HostReason, Stale, TableFacts
from bot.tables.table import Table
from bot.tables.turns import require_opener, require_player


def may_have_clock(table: Table) -> bool:
    """Return whether a clock makes sense at a table, because another person may wait."""
    return not (table.package.game.info.is_solo or table.is_for_one_person)


def has_pings(table: Table, user_id: int) -> bool:
    """Return whether a person can be pinged at a table; they can't where nobody else could be waiting."""
    is_over = not (table.header.status.is_open or table.header.status.is_aside)
    return may_have_clock(table) and table.seat_of(user_id) is not None and not is_over


def choose_clock(table: Table, person: Person, limit: TurnClock) -> Table:
    """Choose the turn clock. Opener only.

    Raises:
        Stale: The clock is chosen already.
        Refusal: The person is not the opener, or the table can have no clock.
    """
    require_opener(table, person)
    if not may_have_clock(table):
        raise Refusal(HostReason.NO_SUCH_CHOICE, TableFacts(table))
    if table.header.clock.limit is limit:
        raise Stale(table.id)
    return _with_clock(table, ClockState(limit))


def next_clock(before: Table, after: Table, now: datetime, *, has_acted: bool) -> ClockState:
    """Return the clock after a change. It starts with each turn and runs while another person waits.

    Args:
        before: The table before the change.
        after: The changed table. A clock that the action itself has set stays as it is.
        now: The time of the change.
        has_acted: Whether the player to move has just acted, which restarts a clock that was up.
    """
    clock = after.header.clock
    if clock.limit.time is None:
        return clock
    if not _is_timed(after):
        return ClockState(clock.limit)
    if clock != before.header.clock:
        return clock
    goes_on = clock.ends_at is not None and _is_same_turn(before, after) and not (clock.is_up and has_acted)
    return clock if goes_on else ClockState(clock.limit, now + clock.limit.time)


def is_due(table: Table, due_at: datetime) -> bool:
    """Return whether a job that was due at a time belongs to the present turn, not to an earlier one.

    Downtime only moves jobs to later times, so a turn that ends after the job is another turn.
    """
    ends_at = table.header.clock.ends_at
    return ends_at is not None and ends_at <= due_at


def call_time(table: Table, due_at: datetime) -> Table:
    """Note that the time of the player to move is up.

    Raises:
        Stale: The time is not up, or that is noted already.
    """
    clock = table.header.clock
    if clock.is_up or not is_due(table, due_at):
        raise Stale(table.id)
    return _with_clock(table, replace(clock, is_up=True))


def add_downtime(table: Table, downtime: Downtime) -> Table:
    """Record that a clock ends later because no process ran for a while.

    Raises:
        Stale: No clock was running then.
    """
    clock = table.header.clock
    if clock.ends_at is None or clock.limit.time is None or clock.is_up:
        raise Stale(table.id)
    began_at = clock.ends_at - clock.limit.time
    lost = downtime.part_after(began_at)
    if clock.ends_at <= downtime.since or not lost:
        raise Stale(table.id)
    return _with_clock(table, replace(clock, ends_at=clock.ends_at + lost))


def wait_longer(table: Table, person: Person, period: int, now: datetime) -> Table:
    """Restart the clock of the player whose time is up; raise like `require_decision`."""
    require_decision(table, person, period)
    clock = table.header.clock
    if clock.limit.time is None:
        raise Stale(table.id)
    return _with_clock(table, ClockState(clock.limit, now + clock.limit.time))


def let_computer_play(table: Table, person: Person, *, period: int) -> tuple[int, Substitute]:
    """Substitute a computer player for the player whose time is up; raise like `require_decision`."""
    seat, absent = require_decision(table, person, period), table.header.to_move
    if absent is None:
        raise Stale(table.id)
    return seat, Substitute(absent)


def require_decision(table: Table, person: Person, period: int) -> int:
    """Return the seat of the person who decides about the player whose time is up.

    Args:
        table: The table.
        person: The person who acts.
        period: The clock period that the person was asked about.

    Raises:
        Stale: Somebody has decided already, or the player has moved.
        Refusal: The person may not decide.
    """
    seat = require_player(table, person)
    if not table.header.clock.is_up or period != period_of(table):
        raise Stale(table.id)
    if seat == table.header.to_move:
        raise Refusal(HostReason.OWN_TURN, TableFacts(table))
    if seat in table.seat_status.substituted:
        raise Refusal(HostReason.SUBSTITUTED, TableFacts(table))
    return seat


def period_of(table: Table) -> int:
    """Return the id of the current clock period: its end in seconds since the epoch; 0 while no clock runs."""
    ends_at = table.header.clock.ends_at
    return 0 if ends_at is None else int(ends_at.timestamp())


def require_time_up(table: Table) -> None:
    """Refuse while the time of the player to move is running."""
    if not table.header.clock.is_up:
        raise Refusal(HostReason.CLOCK_RUNS, TableFacts(table))


def deciders(table: Table) -> tuple[int, ...]:
    """Return the user ids of the people who can decide about the player to move."""
    others = (
        who for seat, who in enumerate(table.seats) if seat != table.header.to_move and not table.is_automatic(seat)
    )
    return tuple(who.user_id for who in others if who.user_id is not None)


def _is_timed(table: Table) -> bool:
    """Return whether a person is to move and another one waits."""
    header = table.header
    is_awaited = header.status is Status.PLAYING and header.to_move is not None and not header.awaits_computer
    return is_awaited and bool(deciders(table))


def _is_same_turn(before: Table, after: Table) -> bool:
    if not _is_timed(before) or before.header.to_move != after.header.to_move:
        return False
    return before.state is after.state or before.turn_key == after.turn_key


def _with_clock(table: Table, clock: ClockState) -> Table:
    return replace(table, header=replace(table.header, clock=clock))
