"""Closing a table without a result: who may cancel it alone, who must agree, and when a lobby expires."""

from datetime import datetime

from bot.platform.places import Person
from bot.rules.refusals import Refusal
from bot.tables import control_entries, turns
from bot.tables.model import (
    ClosedBy,
    Status,
)
from bot.tables.refusals import HostReason, Stale, TableFacts
from bot.tables.seats import SeatControlEntry
from bot.tables.table import Table, stop
from bot.tables.turns import require_player


def may_cancel(table: Table, person_id: int, *, is_moderator: bool) -> bool:
    """Return whether a person may end an open table without a result and without asking others.

    A moderator may at any time, the opener until `Table.needs_agreement`, but never at a table of a tournament, which
    would open another one with other dice. Otherwise all players must agree.
    """
    is_opener = person_id == table.header.opener_id and not table.kind.is_arranged
    return is_moderator or (is_opener and not table.needs_agreement)


def cancel(table: Table, person: Person, *, is_moderator: bool) -> Table:
    """End a table without a result; the person must pass `may_cancel`."""
    if not table.header.status.is_open:
        raise Refusal(turns.NOT_PLAYING_REASONS[table.header.status], TableFacts(table))
    if may_cancel(table, person.id, is_moderator=is_moderator):
        is_opener = person.id == table.header.opener_id
        return stop(table, Status.CANCELLED, ClosedBy.OPENER if is_opener else ClosedBy.MODERATOR)
    if table.needs_agreement:
        turns.require_player(table, person)
        raise Refusal(HostReason.NEEDS_AGREEMENT, TableFacts(table))
    raise Refusal(_why_not(table), TableFacts(table))


def _why_not(table: Table) -> HostReason:
    """Return why a person can't close a table for which the agreement of all players is not enough."""
    return HostReason.OF_TOURNAMENT if table.kind.is_arranged else HostReason.NOT_OPENER_NOR_MODERATOR


def close(table: Table) -> Table:
    """End a table without a result, on behalf of the bot."""
    if not table.header.status.is_open:
        raise Stale(table.id)
    return stop(table, Status.CANCELLED)


def propose_close(table: Table, person: Person) -> SeatControlEntry:
    """Propose to close a game once every seat has moved, or agree to a proposal."""
    seat = require_player(table, person)
    if not table.needs_agreement:
        raise Refusal(_why_not(table), TableFacts(table))
    if len(table.remaining_players) < 2:
        raise Refusal(HostReason.ONLY_RESIGN, TableFacts(table))
    if seat in table.closers:
        raise Refusal(HostReason.ALREADY_AGREED, TableFacts(table))
    return seat, control_entries.AgreeToClose()


def agree_to_close(table: Table, person: Person) -> SeatControlEntry:
    """Agree to a proposal to close the table.

    Raises:
        Stale: The proposal was withdrawn.
        Refusal: The person may not agree, or has agreed.
    """
    if table.header.status is Status.PLAYING and not table.closers:
        raise Stale(table.id)
    return propose_close(table, person)


def expire(table: Table, since: datetime) -> Table:
    """Close a lobby that has not changed since a time.

    Raises:
        Stale: The table is no lobby, has changed since, or belongs to a tournament, which decides how long it waits.
    """
    is_idle = table.header.status is Status.LOBBY and table.header.updated_at <= since
    if not is_idle or table.kind.is_arranged:
        raise Stale(table.id)
    return stop(table, Status.EXPIRED)
