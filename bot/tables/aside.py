"""Idle tables are put aside, resumed, kept open and abandoned."""

from datetime import datetime

from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables.model import Header, Status
from bot.tables.refusals import HostReason, Stale, TableFacts
from bot.tables.table import Table, derive_status, stop
from bot.tables.turns import require_remaining_seat


def is_idle(header: Header, since: datetime) -> bool:
    """Return whether a table has been idle since a time. Choosing pieces is activity, putting aside is not."""
    active_at = header.updated_at if header.status.is_aside else max(header.updated_at, header.awaited_since)
    return active_at <= since


def may_be_put_aside(header: Header, since: datetime) -> bool:
    """Return whether a table is open, started, and idle since a time; one whose turn clock runs has time left."""
    is_timed = header.clock.ends_at is not None and not header.clock.is_up
    return header.status.is_open and header.status.is_unfinished and not is_timed and is_idle(header, since)


def put_aside(table: Table, since: datetime) -> Table:
    """Put aside a started table that has been idle since a time.

    Raises:
        Stale: The table is not open.
        Refusal: The table is a lobby, or not idle.
    """
    status = table.header.status
    if not status.is_open:
        raise Stale(table.id)
    if not may_be_put_aside(table.header, since):
        raise Refusal(HostReason.CHANNEL_TAKEN, TableFacts(table))
    return stop(table, aside_status(status))


def aside_status(status: Status) -> Status:
    """Return the status a table gets when it is put aside. A held table's seed may be known, so it stays held."""
    return Status.HELD_ASIDE if status is Status.HELD else Status.ASIDE


def resume(table: Table, person: Person, *, is_moderator: bool) -> Table:
    """Resume a table that was put aside, for a player or a moderator.

    Raises:
        Stale: The table is open.
        Refusal: The table is over, or not the person's to resume.
    """
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


def keep_open(table: Table, person: Person) -> Table:
    """Mark an idle table as still in use, for a player who has not resigned."""
    if not table.header.status.is_unfinished:
        raise Refusal(HostReason.TABLE_OVER, TableFacts(table))
    require_remaining_seat(table, person)
    return table


def abandon(table: Table, since: datetime) -> Table:
    """Close a table that has been idle since a time.

    Raises:
        Stale: The table is not started, over, or not idle.
    """
    if not (table.header.status.is_unfinished and is_idle(table.header, since)):
        raise Stale(table.id)
    return stop(table, Status.ABANDONED)
