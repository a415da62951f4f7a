"""What people may wish of a table: pure decisions, each returning the table as it would be or refusing."""

from dataclasses import replace
from datetime import datetime, timedelta

from bot.rules.game import Options, Seat
from bot.rules.options import set_option
from bot.rules.refusals import Refusal
from bot.tables.levels import levels_of, strongest_level
from bot.tables.model import Occupant, Person, Status
from bot.tables.refusal_facts import LevelFacts, TableFacts
from bot.tables.refusals import HostReason, Stale
from bot.tables.table import Table, digest_of_options, salt_of, start_game, stop

_MAX_NAME_LENGTH = 32

OPENER_AWAY_AFTER = timedelta(minutes=5)
"""Anybody who has a seat may start once nothing has been heard of the opener for so long."""

LOBBY_EXPIRES_AFTER = timedelta(hours=1)
"""A lobby that nobody has changed for so long expires."""

INVITE_AGAIN_AFTER = timedelta(days=1)
"""Nobody is invited by the same person more often, whatever the table."""

MAX_INVITATIONS = 5
"""So many people are invited to a table at most."""

_NOT_PLAYING_REASONS = {
    Status.LOBBY: HostReason.NOT_STARTED,
    Status.HELD: HostReason.TABLE_HELD,
    Status.FINISHED: HostReason.TABLE_OVER,
    Status.CANCELLED: HostReason.TABLE_OVER,
    Status.EXPIRED: HostReason.TABLE_OVER,
    Status.ASIDE: HostReason.SET_ASIDE,
    Status.HELD_ASIDE: HostReason.SET_ASIDE,
    Status.ABANDONED: HostReason.TABLE_OVER,
}


def make_occupant(person: Person, click_id: int) -> Occupant:
    """Seat a person, whose click contributes to the table's chance."""
    return Occupant(person.name[:_MAX_NAME_LENGTH], user_id=person.id, contribution=str(click_id))


def join(table: Table, person: Person, click_id: int) -> Table:
    """Give a person the next free seat."""
    _require_editable_lobby(table)
    if table.seat_of(person.id) is not None:
        raise Refusal(HostReason.ALREADY_SEATED, TableFacts(table))
    return _take_seat(table, make_occupant(person, click_id))


def leave(table: Table, person: Person) -> Table:
    """Free a person's seat; the next person becomes the opener, and without one the table is cancelled."""
    _require_editable_lobby(table)
    seat = table.seat_of(person.id)
    if seat is None:
        raise Refusal(HostReason.NOT_SEATED, TableFacts(table))
    seats = (*table.seats[:seat], *table.seats[seat + 1 :])
    people = [who.user_id for who in seats if who.user_id is not None]
    if not people:
        return replace(table, header=replace(table.header, status=Status.CANCELLED))
    opener = table.header.opener_id if table.header.opener_id in people else people[0]
    return replace(table, header=replace(table.header, opener_id=opener), seats=seats)


def add_computer(table: Table, person: Person, revision: int, level: str | None = None) -> Table:
    """Let the opener give the next free seat to a computer player, of the strongest level unless another is named."""
    _require_revision(table, revision)
    require_opener(table, person)
    levels = levels_of(table.package)
    if level is not None and level not in levels:
        raise Refusal(HostReason.UNKNOWN_LEVEL, LevelFacts(table, ", ".join(levels)))
    return with_computer(table, level)


def kick(table: Table, person: Person, other_id: int) -> Table:
    """Let the opener take another person's seat away."""
    require_opener(table, person)
    seat = table.seat_of(other_id)
    if seat is None:
        raise Refusal(HostReason.THEY_HAVE_NO_SEAT, TableFacts(table))
    if other_id == person.id:
        raise Refusal(HostReason.ONLY_LEAVE, TableFacts(table))
    return replace(table, seats=(*table.seats[:seat], *table.seats[seat + 1 :]))


def remove_computer(table: Table, person: Person, revision: int) -> Table:
    """Let the opener take the newest computer player off the table."""
    _require_revision(table, revision)
    require_opener(table, person)
    computers = [seat for seat, who in enumerate(table.seats) if who.is_computer]
    if not computers:
        raise Refusal(HostReason.NO_COMPUTER, TableFacts(table))
    last = computers[-1]
    return replace(table, seats=(*table.seats[:last], *table.seats[last + 1 :]))


def require_invitable(table: Table, person: Person, guest_id: int) -> None:
    """Let somebody who has a seat invite another person to a free one."""
    _require_editable_lobby(table)
    if table.seat_of(person.id) is None:
        raise Refusal(HostReason.NO_SEAT_TO_INVITE_FROM, TableFacts(table))
    if guest_id == person.id:
        raise Refusal(HostReason.INVITED_YOURSELF, TableFacts(table))
    if table.seat_of(guest_id) is not None:
        raise Refusal(HostReason.THEY_HAVE_A_SEAT, TableFacts(table))
    _require_free_seat(table)


def choose_option(table: Table, person: Person, name: str, value: str, shown: str) -> Table:
    """Let the opener choose one of the game's options anew.

    Raises Stale when the options are others than those shown, told by their digest, or are just what is wished.
    """
    require_opener(table, person)
    try:
        options = set_option(table.options, name, value)
    except ValueError:
        raise Refusal(HostReason.NO_SUCH_CHOICE, TableFacts(table)) from None
    if digest_of_options(table) != shown or options == table.options:
        raise Stale(table.id)
    return _with_options(table, options)


def with_computer(table: Table, level: str | None = None) -> Table:
    """Seat a computer player, of the game's strongest level if none is named, under a name that is free."""
    names = {who.name for who in table.seats}
    numbered = (f"Computer {number}" for number in range(2, len(table.seats) + 3))
    name = next(name for name in ("Computer", *numbered) if name not in names)
    level = level or strongest_level(table.package)
    return _take_seat(table, Occupant(name, level=level, contribution=f"computer:{level}"))


def start(table: Table, person: Person, click_id: int, away_since: datetime | None = None) -> Table:
    """Let the opener begin, or anybody who has a seat where nothing was heard of them since a moment.

    Computer players fill the seats that the game needs at least. The opener sat down before the seed was promised, so
    it is this click that the seat of whoever starts contributes.
    """
    _require_lobby(table)
    _require_starter(table, person, away_since)
    while len(table.seats) < table.package.game.info.least_seats:
        table = with_computer(table)
    seats = tuple(replace(who, contribution=str(click_id)) if who.user_id == person.id else who for who in table.seats)
    salt = salt_of(who.contribution for who in seats)
    table = _with_options(table, table.options)
    return start_game(replace(table, header=replace(table.header, salt=salt), seats=seats))


def require_finished_seat(table: Table, person: Person) -> Seat:
    """Return the seat of somebody who has played at a finished table; refuses everybody else, and any other table."""
    if table.header.status is not Status.FINISHED:
        raise Refusal(HostReason.NOT_FINISHED, TableFacts(table))
    seat = table.seat_of(person.id)
    if seat is None:
        raise Refusal(HostReason.NOT_SEATED, TableFacts(table))
    return seat


def play_again(table: Table, person: Person, click_id: int) -> tuple[Occupant, ...]:
    """Return the seats of the next table of the same people, who have contributed nothing to it but this click."""
    require_finished_seat(table, person)
    return tuple(who if who.is_computer else replace(who, contribution=str(click_id)) for who in table.seats)


def expire(table: Table, since: datetime) -> Table:
    """Close a lobby that nobody has changed since a moment; raises Stale for any other table."""
    if table.header.status is not Status.LOBBY or table.header.updated_at > since:
        raise Stale(table.id)
    return stop(table, Status.EXPIRED)


def cancel(table: Table, person: Person, *, is_moderator: bool) -> Table:
    """Let the opener or a moderator end a table without a result; once everybody has acted, the opener can't alone."""
    if not table.header.status.is_open:
        raise Refusal(_NOT_PLAYING_REASONS[table.header.status], TableFacts(table))
    if table.needs_agreement and not is_moderator:
        require_player(table, person)
        raise Refusal(HostReason.NEEDS_AGREEMENT, TableFacts(table))
    if person.id != table.header.opener_id and not is_moderator:
        raise Refusal(HostReason.NOT_OPENER_NOR_MODERATOR, TableFacts(table))
    return stop(table, Status.CANCELLED)


def _require_starter(table: Table, person: Person, away_since: datetime | None) -> None:
    if person.id == table.header.opener_id:
        return
    if table.package.game.info.is_solo:
        raise Refusal(HostReason.NOT_YOUR_GAME, TableFacts(table))
    is_away = away_since is not None and table.header.awaited_since <= away_since
    if table.seat_of(person.id) is None or not is_away:
        raise Refusal(HostReason.NOT_STARTER, TableFacts(table))


def require_opener(table: Table, person: Person) -> None:
    """Let nobody act but the opener, in a lobby where seats and options can be chosen."""
    _require_editable_lobby(table)
    if person.id != table.header.opener_id:
        raise Refusal(HostReason.NOT_OPENER, TableFacts(table))


def require_turn(table: Table, person: Person, step: int) -> None:
    """Let nobody act but the player to move, at the present step.

    A player's click on an earlier step raises Stale; everything else is refused.
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
    """Return the seat of somebody who plays at the table; refuses everybody else, and who has resigned."""
    if fault := _NOT_PLAYING_REASONS.get(table.header.status):
        raise Refusal(fault, TableFacts(table))
    seat = table.seat_of(person.id)
    if seat is None:
        raise Refusal(HostReason.NOT_SEATED, TableFacts(table))
    if seat in table.seat_status.resigned:
        raise Refusal(HostReason.RESIGNED, TableFacts(table))
    return seat


def _with_options(table: Table, options: Options) -> Table:
    return replace(table, header=replace(table.header, options=options.model_dump_json()))


def _take_seat(table: Table, who: Occupant) -> Table:
    _require_free_seat(table)
    return replace(table, seats=(*table.seats, who))


def _require_free_seat(table: Table) -> None:
    if len(table.seats) >= table.package.game.info.most_seats:
        raise Refusal(HostReason.TABLE_FULL, TableFacts(table))


def _require_lobby(table: Table) -> None:
    if table.header.status in (Status.PLAYING, Status.HELD):
        raise Refusal(HostReason.ALREADY_STARTED, TableFacts(table))
    if table.header.status is not Status.LOBBY:
        raise Refusal(_NOT_PLAYING_REASONS[table.header.status], TableFacts(table))


def _require_editable_lobby(table: Table) -> None:
    """Refuse to change seats or options anywhere but in the lobby of a table that follows no other."""
    _require_lobby(table)
    if table.header.link is not None:
        raise Refusal(HostReason.SEATS_FIXED, TableFacts(table))


def _require_revision(table: Table, revision: int) -> None:
    """Raise Stale when somebody has changed the lobby since it was shown."""
    if table.header.status is Status.LOBBY and table.header.revision != revision:
        raise Stale(table.id)
