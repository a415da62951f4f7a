"""What becomes of tables at which nobody has played for long: pure decisions, each returning the table or refusing."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from bot.rules.refusals import Refusal
from bot.tables.model import Header, Person, Status
from bot.tables.refusal_facts import TableFacts
from bot.tables.refusals import HostReason, Stale
from bot.tables.table import Table, derive_status, stop

NOTICE_PERIOD: Final = timedelta(days=2)
"""So long before a silent table is closed its channel is told."""


@dataclass(frozen=True, slots=True)
class IdleLimits:
    """After how long a silence something becomes of a table; None for never."""

    put_aside_after: timedelta | None = timedelta(days=1)
    """Whoever wants to open another table in its channel may put it aside."""
    abandon_after: timedelta | None = timedelta(days=30)
    """It is closed."""


DEFAULT_IDLE_LIMITS: Final = IdleLimits()


def is_idle(header: Header, since: datetime) -> bool:
    """Tell whether nobody has done anything at a table since a moment; a pick counts too, and being put aside not."""
    heard_at = header.updated_at if header.status.is_aside else max(header.updated_at, header.awaited_since)
    return heard_at <= since


def may_be_put_aside(header: Header, since: datetime) -> bool:
    """Tell whether a table takes up its place, was begun, and is silent since a moment."""
    return header.status.is_open and header.status.is_unfinished and is_idle(header, since)


def put_aside(table: Table, since: datetime) -> Table:
    """Make room in the channel of a table that was begun and is silent since a moment.

    Raises Stale if it takes up none, and refuses a table at which somebody has acted.
    """
    status = table.header.status
    if not status.is_open:
        raise Stale(table.id)
    if not may_be_put_aside(table.header, since):
        raise Refusal(HostReason.CHANNEL_TAKEN, TableFacts(table))
    return stop(table, aside_status(status))


def aside_status(status: Status) -> Status:
    """Return what a table becomes that is put aside: one that is held stays so, since its seed may be known."""
    return Status.HELD_ASIDE if status is Status.HELD else Status.ASIDE


def resume(table: Table, person: Person, *, is_moderator: bool) -> Table:
    """Let whoever has a seat, or a moderator, go on with a table that was put aside; raises Stale if it is open."""
    status = table.header.status
    if status.is_open:
        raise Stale(table.id)
    if not status.is_aside:
        raise Refusal(HostReason.TABLE_OVER, TableFacts(table))
    if table.seat_of(person.id) is None and not is_moderator:
        raise Refusal(HostReason.NOT_YOURS_TO_RESUME, TableFacts(table))
    if status is Status.HELD_ASIDE or table.state is None:
        return stop(table, Status.HELD)
    return derive_status(table, table.header.step)


def keep_open(table: Table, person: Person) -> Table:
    """Let whoever still plays end the silence of a table."""
    if not table.header.status.is_unfinished:
        raise Refusal(HostReason.TABLE_OVER, TableFacts(table))
    seat = table.seat_of(person.id)
    if seat is None:
        raise Refusal(HostReason.NOT_SEATED, TableFacts(table))
    if seat in table.seat_status.resigned:
        raise Refusal(HostReason.RESIGNED, TableFacts(table))
    return table


def abandon(table: Table, since: datetime) -> Table:
    """Close a table that is silent since a moment; raises Stale for any other."""
    if not (table.header.status.is_unfinished and is_idle(table.header, since)):
        raise Stale(table.id)
    return stop(table, Status.ABANDONED)
