"""What people may do now: checks that actions share and forced ends of turns."""

from bot.platform.places import Person
from bot.rules.game import Seat
from bot.rules.refusals import Refusal
from bot.tables.model import Status
from bot.tables.refusals import DuplicateInteraction, HostReason, Stale, TableFacts
from bot.tables.table import Table, forced_end_of

NOT_PLAYING_REASONS = {
    Status.LOBBY: HostReason.NOT_STARTED,
    Status.HELD: HostReason.TABLE_HELD,
    Status.FINISHED: HostReason.TABLE_OVER,
    Status.CANCELLED: HostReason.TABLE_OVER,
    Status.EXPIRED: HostReason.TABLE_OVER,
    Status.ASIDE: HostReason.PUT_ASIDE,
    Status.HELD_ASIDE: HostReason.PUT_ASIDE,
    Status.ABANDONED: HostReason.TABLE_OVER,
}


def require_opener(table: Table, person: Person) -> None:
    """Refuse unless the person is the opener, in a lobby whose seats and options can change."""
    require_editable_lobby(table)
    if person.id != table.header.opener_id:
        raise Refusal(HostReason.NOT_OPENER, TableFacts(table))


def require_turn(table: Table, person: Person, step: int) -> None:
    """Refuse unless the person is to move.

    Raises:
        Stale: A player clicked on an earlier step.
        Refusal: The person is not to move.
    """
    seat = table.seat_of(person.id)
    if seat is not None and step != table.header.step:
        raise Stale(table.id)
    seat = require_player(table, person)
    if seat in table.seat_status.substituted:
        raise Refusal(HostReason.SUBSTITUTED, TableFacts(table))
    if seat != table.header.to_move:
        raise Refusal(HostReason.NOT_YOUR_TURN, TableFacts(table))


def require_player(table: Table, person: Person) -> Seat:
    """Return a person's seat; refuse if the game is not being played, or they have no seat or have resigned."""
    if reason := NOT_PLAYING_REASONS.get(table.header.status):
        raise Refusal(reason, TableFacts(table))
    return require_remaining_seat(table, person)


def require_seat(table: Table, person: Person) -> Seat:
    """Return a person's seat; refuse if they have none."""
    seat = table.seat_of(person.id)
    if seat is None:
        raise Refusal(HostReason.NOT_SEATED, TableFacts(table))
    return seat


def require_remaining_seat(table: Table, person: Person) -> Seat:
    """Return a person's seat; refuse if they have none, have resigned or were removed."""
    seat = require_seat(table, person)
    if seat in table.seat_status.resigned:
        raise Refusal(HostReason.RESIGNED, TableFacts(table))
    if seat in table.seat_status.removed:
        raise Refusal(HostReason.REMOVED, TableFacts(table))
    return seat


def require_finished_seat(table: Table, person: Person) -> Seat:
    """Return a person's seat at a finished table; refuse if it is not finished, they had no seat, or were removed."""
    if table.header.status is not Status.FINISHED:
        raise Refusal(HostReason.NOT_FINISHED, TableFacts(table))
    seat = table.seat_of(person.id)
    if seat is None:
        raise Refusal(HostReason.NOT_A_PLAYER, TableFacts(table))
    if seat in table.seat_status.removed:
        raise Refusal(HostReason.REMOVED, TableFacts(table))
    return seat


def require_lobby(table: Table) -> None:
    """Refuse unless the table is a lobby."""
    if table.header.status in (Status.PLAYING, Status.HELD):
        raise Refusal(HostReason.ALREADY_STARTED, TableFacts(table))
    if table.header.status is not Status.LOBBY:
        raise Refusal(NOT_PLAYING_REASONS[table.header.status], TableFacts(table))


def require_editable_lobby(table: Table) -> None:
    """Refuse unless the table is a lobby whose seats and options are not fixed by a tournament or a series."""
    require_lobby(table)
    if table.kind.is_arranged:
        raise Refusal(HostReason.OF_TOURNAMENT, TableFacts(table))
    if table.is_fixed:
        raise Refusal(HostReason.SEATS_FIXED, TableFacts(table))


def require_revision(table: Table, revision: int) -> None:
    """Raise Stale if the lobby has changed since it was shown."""
    if table.header.status is Status.LOBBY and table.header.revision != revision:
        raise Stale(table.id)


def find_forced_end(table: Table) -> str | None:
    """Return the forced end of a person's turn, in the game's notation, or None."""
    header = table.header
    if header.status is not Status.PLAYING or table.state is None or header.awaits_computer:
        return None
    move = forced_end_of(table)
    return None if move is None else str(move)


def offers_take_back(table: Table) -> bool:
    """Return whether a move can be taken back."""
    return table.take_back_state is not None


def require_new_interaction(table: Table, click_id: int) -> None:
    """Raise if the interaction is the table's newest entry: overlapping processes both receive each interaction."""
    if table.click_id == click_id:
        raise DuplicateInteraction(table.id)
