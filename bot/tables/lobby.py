"""Actions in the lobby: seats, options, computer players, and the start."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from bot.graphemes import whole_letters
from bot.platform.places import Person
from bot.rules.game import Options, Seat
from bot.rules.options import set_option
from bot.rules.refusals import Refusal
from bot.tables import turns
from bot.tables.model import STOPPED, Occupant, Pace, Status, people_in
from bot.tables.refusals import HostReason, Stale, TableFacts
from bot.tables.registry import AnyPackage, levels_of, played_level, usual_level
from bot.tables.table import Table, digest_of, salt_of, start_game, stop

_MAX_NAME_LENGTH = 32

OPENER_AWAY_AFTER = timedelta(minutes=5)
"""Any seated player can start when the opener has been inactive for this long."""

LOBBY_EXPIRES_AFTER = timedelta(hours=1)
"""A lobby expires when it has not changed for this long."""

SEATS_KEPT_FOR = timedelta(minutes=5)
"""The lobby of another game keeps the seats of the players of the game before for this long."""


def make_occupant(person: Person, click_id: int) -> Occupant:
    """Return a person as an occupant, with the interaction id as the seat's part of the salt."""
    return Occupant(whole_letters(person.name, _MAX_NAME_LENGTH), user_id=person.id, contribution=str(click_id))


def join(table: Table, person: Person, click_id: int, kept_since: datetime | None = None) -> Table:
    """Give a person the next free seat.

    Args:
        table: The table.
        person: The person who acts.
        click_id: The id of the interaction.
        kept_since: Lobbies opened after this time keep seats for others; None if no lobby does.
    """
    turns.require_editable_lobby(table)
    if table.seat_of(person.id) is not None:
        raise Refusal(HostReason.ALREADY_SEATED, TableFacts(table))
    if person.id in table.header.kicked:
        raise Refusal(HostReason.KICKED, TableFacts(table))
    table = replace(table, header=replace(table.header, kept=table.header.kept - {person.id}))
    require_free_seat(table, kept_since)
    return _take_seat(table, make_occupant(person, click_id))


def leave(table: Table, person: Person) -> Table:
    """Free a person's seat. The opener's role passes to the next person; without one, cancel the table."""
    turns.require_editable_lobby(table)
    return without_seat(table, turns.require_seat(table, person))


def add_computer(table: Table, person: Person, revision: int, level: str, kept_since: datetime | None = None) -> Table:
    """Give the next free seat to a computer player of a level. Opener only.

    Raises:
        Stale: The lobby has changed since it was shown, or this level can't play now.
        Refusal: The person is not the opener, no seat is free, or the game has no such level.
    """
    turns.require_revision(table, revision)
    turns.require_opener(table, person)
    if level not in levels_of(table.package):
        raise Refusal(HostReason.NO_SUCH_CHOICE, TableFacts(table))
    if played_level(table.package, level) != level:
        raise Stale(table.id)
    require_free_seat(table, kept_since)
    return with_computer(table, level)


def remove_computers(table: Table, person: Person, revision: int) -> Table:
    """Free the seats of all computer players. Opener only.

    Raises:
        Stale: The lobby has changed since it was shown, or there is no computer player.
        Refusal: The person is not the opener.
    """
    turns.require_revision(table, revision)
    turns.require_opener(table, person)
    people = tuple(occupant for occupant in table.seats if not occupant.is_computer)
    if people == table.seats:
        raise Stale(table.id)
    return replace(table, seats=people)


def kick(table: Table, person: Person, other_id: int, *, is_moderator: bool = False) -> Table:
    """Remove another person from their seat, for the opener or a moderator, and bar them from this lobby."""
    _require_remover(table, person, is_moderator=is_moderator)
    seat = table.seat_of(other_id)
    if seat is None:
        raise Refusal(HostReason.THEY_HAVE_NO_SEAT, TableFacts(table))
    if other_id == person.id:
        raise Refusal(HostReason.ONLY_LEAVE, TableFacts(table))
    return without_seat(_with_kicked(table, other_id), seat)


def remove_player(table: Table, person: Person, revision: int, seat: Seat, *, is_moderator: bool = False) -> Table:
    """Free the seat of a computer player, or of another person, whom this bars from the lobby.

    Raises:
        Stale: The lobby has changed since it was shown.
        Refusal: The person is neither opener nor moderator, or the seat is free or their own.
    """
    turns.require_revision(table, revision)
    _require_remover(table, person, is_moderator=is_moderator)
    if seat >= len(table.seats):
        raise Refusal(HostReason.THEY_HAVE_NO_SEAT, TableFacts(table))
    other_id = table.seats[seat].user_id
    if other_id == person.id:
        raise Refusal(HostReason.ONLY_LEAVE, TableFacts(table))
    return without_seat(table if other_id is None else _with_kicked(table, other_id), seat)


def digest_of_options(table: Table) -> str:
    """Return a digest of a table's options, to detect changes."""
    return digest_of(table.header.options)


def choose_option(table: Table, person: Person, name: str, value: str, shown: str) -> Table:
    """Change one of the game's options. Opener only.

    Args:
        table: The table.
        person: The person who acts.
        name: The option's name.
        value: The new value, as text.
        shown: The digest of the options that the menu was shown with.

    Raises:
        Stale: The options have changed since, or have this value already.
        Refusal: The person is not the opener, or the option does not accept the value.
    """
    turns.require_opener(table, person)
    try:
        options = set_option(table.options, name, value)
    except ValueError:
        raise Refusal(HostReason.NO_SUCH_CHOICE, TableFacts(table)) from None
    if digest_of_options(table) != shown or options == table.options:
        raise Stale(table.id)
    return _with_options(table, options)


def has_hints(package: AnyPackage) -> bool:
    """Return whether a game offers hints."""
    return (
        package.mind.evaluate is not None
        and package.study.describe_move is not None
        and package.study.hints is not None
    )


def allow_hints(table: Table, person: Person, *, allows: bool) -> Table:
    """Turn hints at a table on or off. Opener only.

    Raises:
        Stale: Hints are on or off already.
        Refusal: The person is not the opener, or the game has no hints.
    """
    turns.require_opener(table, person)
    if not has_hints(table.package):
        raise Refusal(HostReason.NO_SUCH_CHOICE, TableFacts(table))
    if table.header.allows_hints == allows:
        raise Stale(table.id)
    return replace(table, header=replace(table.header, allows_hints=allows))


def may_have_pace(table: Table) -> bool:
    """Return whether computer players can play at a table."""
    return not table.package.game.info.is_solo


def choose_pace(table: Table, person: Person, pace: Pace) -> Table:
    """Choose the pace of computer players. Opener only.

    Raises:
        Stale: The table has this pace already.
        Refusal: The person is not the opener, or computer players can't play.
    """
    turns.require_opener(table, person)
    if not may_have_pace(table):
        raise Refusal(HostReason.NO_SUCH_CHOICE, TableFacts(table))
    if table.header.pace is pace:
        raise Stale(table.id)
    return replace(table, header=replace(table.header, pace=pace))


def with_computer(table: Table, level: str = "") -> Table:
    """Seat a computer player of a level, or else of the usual one."""
    return _take_seat(table, _make_computer(level or usual_level(table.package)))


def with_least_seats(table: Table) -> Table:
    """Seat computer players of the usual level up to the game's minimum."""
    while len(table.seats) < table.package.game.info.least_seats:
        table = with_computer(table)
    return table


def start(
    table: Table,
    person: Person,
    click_id: int,
    away_since: datetime | None = None,
    *,
    frees_channel: bool = False,
) -> Table:
    """Start the game, adding computer players up to the game's minimum.

    The starter's seat contributes this click to the salt instead of its first one: the opener's first click came before
    the commitment to the seed.

    Args:
        table: The table.
        person: The opener, or any seated player if the opener is away.
        click_id: The id of the interaction.
        away_since: The opener is away if inactive since this time; None means that only the opener can start.
        frees_channel: Whether a game of one person leaves its channel to others, as a solo game does.
    """
    turns.require_lobby(table)
    if person.id != table.header.opener_id:
        if table.package.game.info.is_solo:
            raise Refusal(HostReason.NOT_YOUR_GAME, TableFacts(table))
        turns.require_seat(table, person)
        if away_since is None or table.header.awaited_since > away_since:
            raise Refusal(HostReason.NOT_STARTER, TableFacts(table))
    table = with_least_seats(table)
    seats = tuple(
        replace(occupant, contribution=str(click_id))
        if occupant.user_id == person.id
        # A table records the level that really plays, whatever level can play later.
        else replace(occupant, level=occupant.level and played_level(table.package, occupant.level))
        for occupant in table.seats
    )
    salt = salt_of(occupant.contribution for occupant in seats)
    table = _with_options(table, table.options)
    header = replace(table.header, salt=salt, kicked=frozenset(), kept=frozenset())
    people = people_in(seats)
    if frees_channel and len(people) == 1 and not table.is_fixed:
        # Without another person nobody waits, so there is no clock.
        header = replace(header, location=replace(header.location, solo_id=min(people)), clock=STOPPED)
    return start_game(replace(table, header=header, seats=seats))


def plays_again_at_once(table: Table) -> bool:
    """Return whether *Play again* needs no lobby after a finished table, because nobody else could join or leave."""
    people = sum(not occupant.is_computer for occupant in table.seats)
    is_ordinary = table.kind.has_own_dice and not table.kind.is_arranged
    return table.header.status is Status.FINISHED and people == 1 and is_ordinary


def play_again(table: Table, person: Person, click_id: int) -> tuple[Occupant, ...]:
    """Return the occupants of another game: the person who asks for it, and the computer players."""
    turns.require_finished_seat(table, person)
    computers = [occupant for occupant in table.seats if occupant.is_computer]
    return make_occupant(person, click_id), *renew_contributions(computers, click_id)


def renew_contributions(occupants: Iterable[Occupant], click_id: int) -> tuple[Occupant, ...]:
    """Return the occupants of a new table, with an interaction's id as each person's part of the salt."""
    contribution = str(click_id)
    return tuple(
        replace(occupant, contribution=contribution) if occupant.level is None else _make_computer(occupant.level)
        for occupant in occupants
    )


def require_free_seat(table: Table, kept_since: datetime | None = None) -> None:
    """Refuse unless a seat is free; lobbies opened after `kept_since` keep some for people who may join again."""
    keeps_seats = kept_since is not None and table.header.created_at > kept_since
    taken = len(table.seats) + (len(table.header.kept) if keeps_seats else 0)
    if taken >= table.package.game.info.most_seats:
        raise Refusal(HostReason.TABLE_FULL, TableFacts(table))


def require_seat_for_person(table: Table, kept_since: datetime | None = None) -> None:
    """Refuse like `require_free_seat`, and at a table for one person."""
    require_free_seat(table, kept_since)
    if table.is_for_one_person:
        raise Refusal(HostReason.FOR_ONE_PERSON, TableFacts(table))


def _require_remover(table: Table, person: Person, *, is_moderator: bool) -> None:
    """Refuse unless the person may free seats in the lobby."""
    turns.require_editable_lobby(table)
    if not is_moderator:
        turns.require_opener(table, person)


def _with_options(table: Table, options: Options) -> Table:
    return replace(table, header=replace(table.header, options=options.model_dump_json()))


def without_seat(table: Table, seat: Seat) -> Table:
    """Free a seat. If it was the opener's, the next person becomes the opener; without one, cancel the table."""
    seats = (*table.seats[:seat], *table.seats[seat + 1 :])
    people = [occupant.user_id for occupant in seats if occupant.user_id is not None]
    if not people:
        return stop(table, Status.CANCELLED)
    opener = table.header.opener_id if table.header.opener_id in people else people[0]
    return replace(table, header=replace(table.header, opener_id=opener), seats=seats)


def _with_kicked(table: Table, other_id: int) -> Table:
    return replace(table, header=replace(table.header, kicked=table.header.kicked | {other_id}))


def _make_computer(level: str) -> Occupant:
    return Occupant(level=level, contribution=f"computer:{level}")


def _take_seat(table: Table, occupant: Occupant) -> Table:
    require_free_seat(table)
    return replace(table, seats=(*table.seats, occupant))
