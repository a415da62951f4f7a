"""What people may wish of their seats while a game is played: each wish becomes a control entry or is refused."""

from datetime import datetime, timedelta
from typing import Protocol, TypeAlias

from bot.rules.game import Seat
from bot.rules.refusals import Refusal
from bot.tables.actions.lobby import require_player
from bot.tables.controls import AgreeToClose, AskForSubstitute, ComeBack, ControlEntry, Resign, Substitute, TakeBack
from bot.tables.model import Person, Status
from bot.tables.refusal_facts import TableFacts
from bot.tables.refusals import HostReason, Stale
from bot.tables.table import Table

ABSENT_AFTER = timedelta(minutes=2)
"""Whoever is to move and has been silent for so long is absent."""

_VOTES_NEEDED = 2
"""So many people other than the opener put a computer player into a seat together."""

SeatControl: TypeAlias = tuple[Seat, ControlEntry]
"""A control entry and the seat that makes it."""


class SeatAction(Protocol):
    """Decides what a person's wish does to a table."""

    def __call__(self, table: Table, person: Person, /) -> SeatControl:
        """Return the control entry; refuses what the person may not do."""
        ...


def resign_seat(table: Table, person: Person) -> SeatControl:
    """Let a player give up; who plays alone has nobody to lose to."""
    seat = require_player(table, person)
    if table.package.game.info.is_solo:
        raise Refusal(HostReason.ALONE, TableFacts(table))
    return seat, Resign()


def substitute_absent(table: Table, person: Person, since: datetime) -> SeatControl:
    """Let the opener, or others together, put a computer player into the seat of whoever is to move.

    Nothing must have been heard of them since a moment.
    """
    seat, absent = require_player(table, person), table.header.to_move
    if seat in table.seat_status.substituted:
        raise Refusal(HostReason.SUBSTITUTED, TableFacts(table))
    if absent is None or table.header.awaits_computer:
        raise Refusal(HostReason.NOBODY_AWAITED, TableFacts(table))
    if seat == absent:
        raise Refusal(HostReason.OWN_TURN, TableFacts(table))
    if table.header.awaited_since > since:
        raise Refusal(HostReason.NOT_ABSENT, TableFacts(table))
    askers = table.seat_status.askers | {seat}
    if person.id == table.header.opener_id or len(askers) >= min(_VOTES_NEEDED, len(_active_people(table) - {absent})):
        return seat, Substitute(absent)
    if seat in table.seat_status.askers:
        raise Refusal(HostReason.ALREADY_ASKED, TableFacts(table))
    return seat, AskForSubstitute(absent)


def come_back(table: Table, person: Person) -> SeatControl:
    """Let a person take their seat back from the computer player who stands in for them."""
    seat = require_player(table, person)
    if seat not in table.seat_status.substituted:
        raise Refusal(HostReason.NOT_SUBSTITUTED, TableFacts(table))
    return seat, ComeBack()


def take_back(table: Table, person: Person, *, step: int | None = None) -> SeatControl:
    """Let a player take their newest move back while nothing came to light since and nobody else has moved.

    Who names a step means the move that led to it, and no later one.
    """
    seat = require_player(table, person)
    if table.take_back_state is None or table.take_back_state.seat != seat or step not in (None, table.header.step):
        raise Refusal(HostReason.NOTHING_TO_TAKE_BACK, TableFacts(table))
    return seat, TakeBack()


def propose_close(table: Table, person: Person) -> SeatControl:
    """Let a player propose to close a game that everybody has acted in, or agree to that; only together do they."""
    seat = require_player(table, person)
    if not table.needs_agreement:
        raise Refusal(HostReason.NOT_OPENER_NOR_MODERATOR, TableFacts(table))
    if len(table.remaining_players) < 2:
        raise Refusal(HostReason.ONLY_RESIGN, TableFacts(table))
    if seat in table.closers:
        raise Refusal(HostReason.ALREADY_AGREED, TableFacts(table))
    return seat, AgreeToClose()


def agree_to_close(table: Table, person: Person) -> SeatControl:
    """Let a player agree to a proposal to close the table; raises Stale where there is none any more."""
    if table.header.status is Status.PLAYING and not table.closers:
        raise Stale(table.id)
    return propose_close(table, person)


def _active_people(table: Table) -> set[Seat]:
    """Return the seats of the people who play themselves."""
    return {seat for seat in range(len(table.seats)) if not table.is_automatic(seat)}
