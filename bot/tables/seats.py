"""Actions on seats during a game; each one returns a control entry or refuses."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TypeAlias

from bot.platform.places import Person
from bot.rules.game import Seat
from bot.rules.refusals import Refusal
from bot.tables import control_entries
from bot.tables.clocks import require_time_up
from bot.tables.refusals import HostReason, TableFacts
from bot.tables.table import Table
from bot.tables.turns import offers_take_back, require_player

ABSENT_AFTER = timedelta(minutes=2)
"""The player to move is absent after this long without activity."""

_VOTES_NEEDED = 2
"""How many votes substitute a computer player without the opener."""

SeatControlEntry: TypeAlias = tuple[Seat, control_entries.ControlEntry]
"""A control entry and the seat that makes it."""

SeatAction: TypeAlias = Callable[[Table, Person], SeatControlEntry]
"""Returns the control entry of a person's action, or refuses."""


def resign_seat(table: Table, person: Person) -> SeatControlEntry:
    """Resign. Refused in solo games."""
    seat = require_player(table, person)
    if table.package.game.info.is_solo:
        raise Refusal(HostReason.ALONE, TableFacts(table))
    return seat, control_entries.Resign()


def substitute_absent(table: Table, person: Person, since: datetime) -> SeatControlEntry:
    """Put a computer player into the seat to move, or vote for one.

    The opener decides alone. Other players need two votes, or everyone's if they are fewer. At a table with a turn
    clock, the time must be up, and then any other player decides alone. In a tournament players have the time of the
    round, and organizers decide.

    Args:
        table: The table.
        person: The person who acts.
        since: The player to move must have been inactive since this time.
    """
    seat, absent = require_player(table, person), table.header.to_move
    if table.kind.is_arranged:
        raise Refusal(HostReason.OF_TOURNAMENT, TableFacts(table))
    if seat in table.seat_status.substituted:
        raise Refusal(HostReason.SUBSTITUTED, TableFacts(table))
    if absent is None or table.header.awaits_computer:
        raise Refusal(HostReason.NOBODY_AWAITED, TableFacts(table))
    if seat == absent:
        raise Refusal(HostReason.OWN_TURN, TableFacts(table))
    if table.header.clock.ends_at is not None:
        require_time_up(table)
        return seat, control_entries.Substitute(absent)
    if table.header.awaited_since > since:
        raise Refusal(HostReason.NOT_ABSENT, TableFacts(table))
    askers = table.seat_status.askers | {seat}
    others = [other for other in range(len(table.seats)) if other != absent and not table.is_automatic(other)]
    if person.id == table.header.opener_id or len(askers) >= min(_VOTES_NEEDED, len(others)):
        return seat, control_entries.Substitute(absent)
    if seat in table.seat_status.askers:
        raise Refusal(HostReason.ALREADY_ASKED, TableFacts(table))
    return seat, control_entries.AskForSubstitute(absent)


def remove_seat(table: Table, user_id: int) -> SeatControlEntry:
    """Give a person's seat to a computer player for good; refuse if they have left already."""
    seat = table.seat_of(user_id)
    if seat is None or seat in table.seat_status.left:
        raise Refusal(HostReason.THEY_HAVE_NO_SEAT, TableFacts(table))
    return seat, control_entries.Remove()


def come_back(table: Table, person: Person) -> SeatControlEntry:
    """Take a seat back from its substitute."""
    seat = require_player(table, person)
    if seat not in table.seat_status.substituted:
        raise Refusal(HostReason.NOT_SUBSTITUTED, TableFacts(table))
    return seat, control_entries.ComeBack()


def take_back(table: Table, person: Person, *, step: int | None = None) -> SeatControlEntry:
    """Take back the newest move that stands if it is the player's, revealed nothing, and leaves them another choice.

    Args:
        table: The table.
        person: The person who acts.
        step: The step that the person saw; None for the current one.
    """
    seat = require_player(table, person)
    is_own = table.take_back_state is not None and table.take_back_state.seat == seat
    if not is_own or step not in (None, table.header.step) or not offers_take_back(table):
        raise Refusal(HostReason.NOTHING_TO_TAKE_BACK, TableFacts(table))
    return seat, control_entries.TakeBack()
