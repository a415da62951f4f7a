"""New tables: opened by a command or a click, for another game, for the next of a series, and for a pairing."""

import contextlib
from dataclasses import replace
from typing import Final

from bot.platform.database.errors import StoreUnavailable
from bot.platform.observability.trace import note_begun
from bot.platform.places import Location, Person
from bot.rules.game import Options
from bot.rules.options import load_options
from bot.rules.refusals import Refusal
from bot.tables import clocks, lobby, series, storage
from bot.tables.aside import place_taken_refusal, table_in_the_way
from bot.tables.events import NotTogether
from bot.tables.model import ClockState, Header, Occupant, SeriesLink, TableId, TurnClock, build_lobby_header
from bot.tables.refusals import DuplicateInteraction, HostReason, LimitFacts, Stale, TableFacts, refused_table
from bot.tables.registry import AnyPackage
from bot.tables.service import TableService
from bot.tables.storage import AlreadyContinued, TableExists, TooManyTables
from bot.tables.table import Table
from bot.tables.turns import is_lesson_told

_SEED_BYTES: Final = 32


def new_header(
    service: TableService, package: AnyPackage, options: Options, opener: Person, location: Location
) -> Header:
    """Return the header of a table that is to be opened, with a seed of its own."""
    info, seed = package.game.info, service.entropy(_SEED_BYTES)
    return build_lobby_header(
        info.key,
        info.version,
        options.model_dump_json(),
        location=location,
        opener_id=opener.id,
        seed=seed,
        at=service.clock(),
    )


async def open_game(
    service: TableService,
    game: str,
    options: Options,
    opener: Person,
    location: Location,
    *,
    click_id: int,
    computers: int = 0,
    clock: TurnClock = TurnClock.NONE,
) -> Table:
    """Open a table with its opener in the first seat; the clock is left out where it makes no sense.

    Raises:
        Refusal: The channel has a table, or the opener has too many.
        DuplicateInteraction: Another process handled the same interaction.
    """
    package = service.games[game]
    if package.game.info.is_solo:
        location = replace(location, solo_id=opener.id)
    header = new_header(service, package, options, opener, location)
    table = Table(header, (lobby.make_occupant(opener, click_id),), package)
    if clocks.may_have_clock(table):
        table = replace(table, header=replace(header, clock=ClockState(clock)))
    for _ in range(computers):
        table = lobby.with_computer(table)
    return await open_table(service, table)


async def require_room(service: TableService, opener: Person, guild_id: int | None) -> None:
    """Raise a Refusal if a person has too many open tables to open another; opening one checks that again."""
    limit = service.settings.max_open_tables
    if limit is not None and await service.db.read(storage.count_opened, opener.id, guild_id) >= limit:
        raise Refusal(HostReason.TOO_MANY_TABLES, LimitFacts(limit))


async def play_again(service: TableService, table_id: TableId, person: Person, click_id: int) -> Table:
    """Open a table with the occupants and options of a finished one; raises what `open_table` raises."""
    old = await service.table(table_id)
    seats = lobby.play_again(old, person, click_id)
    # No query comes first: hardly any rematch has people who may not share it.
    try:
        return await _open_again(service, old, person, seats)
    except NotTogether as fault:
        seats = tuple(occupant for occupant in seats if occupant.user_id not in fault.left_out)
        return await _open_again(service, old, person, seats)


async def _open_again(service: TableService, old: Table, person: Person, seats: tuple[Occupant, ...]) -> Table:
    location = old.header.location
    if not old.package.game.info.is_solo:
        # A lesson was at the location of its learner's solo games.
        location = replace(location, solo_id=0)
    header = new_header(service, old.package, old.options, person, location)
    header = replace(
        header,
        computer_level=old.header.computer_level,
        # Where everyone has the same dice, no host has chosen that there are no hints.
        allows_hints=old.header.allows_hints or not old.kind.has_own_dice,
        clock=ClockState(old.header.clock.limit),
    )
    return await open_table(service, Table(header, seats, old.package))


async def continue_series(service: TableService, table_id: TableId, person: Person, click_id: int) -> Table:
    """Open the next table of a series; raises what `open_table` raises, and refuses if it exists."""
    old = await service.table(table_id)
    following, seats = series.continue_series(old, person, click_id)
    header = new_header(service, old.package, following.options, person, old.header.location)
    clock = ClockState(old.header.clock.limit)
    header = replace(header, link=following.link, allows_hints=old.header.allows_hints, clock=clock)
    return await open_table(service, Table(header, seats, old.package))


async def open_pairing(
    service: TableService, game: str, options: str, seats: tuple[Occupant, ...], location: Location, link: SeriesLink
) -> Table:
    """Open the table of a pairing, without hints, and however many others its players have.

    Raises:
        Refusal: The channel has a table, or the pairing has one that has started.
        DuplicateInteraction: Another process has opened it.
    """
    package = service.games[game]
    chosen = series.single_game(package, load_options(package.game.info.options, options))
    header = new_header(service, package, chosen, Person(seats[0].user_id or 0, seats[0].name), location)
    return await open_table(service, Table(replace(header, link=link, allows_hints=False), seats, package))


async def open_table(service: TableService, table: Table) -> Table:
    """Open a new table, which ends its opener's lesson in its channel, unless it is paired.

    Args:
        table: The table; its id is 0.

    Raises:
        Refusal: Its place is taken, or the opener has too many.
        DuplicateInteraction: Another process handled the same interaction.
    """
    try:
        stored = await _store_table(service, table)
    except Refusal as refusal:
        there = refused_table(refusal)
        if there is None or not _gives_way(there, table):
            raise
        await _end_lesson(service, there.id, table.header.opener_id)
        note_begun()
        stored = await _store_table(service, table)
    location, opener_id = stored.header.location, stored.header.opener_id
    try:
        if not (location.solo_id or stored.kind.is_arranged):
            # If the lesson beside a new shared table can't be ended, it goes on.
            with contextlib.suppress(Refusal, StoreUnavailable):
                beside = await service.open_table_in(location.channel_id, opener_id)
                if beside is not None and beside.is_lesson:
                    await _end_lesson(service, beside.id, opener_id)
    finally:
        # Now it is shown, by whoever opened it or, a moment later, by the publisher.
        opened = service.accept_change(stored)
    return opened


async def _end_lesson(service: TableService, table_id: TableId, learner_id: int) -> None:
    """End a lesson, unless it has ended or its game is not installed."""
    with contextlib.suppress(Refusal, Stale):
        await service.cancel(table_id, Person(learner_id, ""), is_moderator=False)


async def _store_table(service: TableService, table: Table) -> Table:
    """Store a new table; refuse if something is in its way."""
    limit = None if table.kind.is_arranged else service.settings.max_open_tables
    try:
        return await service.store_new(table, limit)
    except TooManyTables as fault:
        # Without a limit the store does not raise this.
        raise Refusal(HostReason.TOO_MANY_TABLES, LimitFacts(limit or 0)) from fault
    except TableExists as taken:
        there = await table_in_the_way(service, taken.table_id)
        if _has_same_people(table, there):
            # It has the contribution of this very interaction: another process was faster.
            raise DuplicateInteraction(there.id) from taken
        if isinstance(taken, AlreadyContinued):
            raise Refusal(HostReason.GOES_ON_THERE, TableFacts(there)) from taken
        raise place_taken_refusal(service, there, table.header.opener_id) from taken


def _gives_way(there: Table, table: Table) -> bool:
    """Return whether a lesson ends for a new table of its learner; in its middle it does not begin again."""
    if not there.is_lesson or there.header.opener_id != table.header.opener_id:
        return False
    return not table.is_lesson or there.header.game != table.header.game or is_lesson_told(there)


def _has_same_people(table: Table, there: Table) -> bool:
    """Return whether an open table has the people of a new one, with the same contributions."""
    same_click = table.kind.has_own_dice or table.header.lobby_click_id == there.header.lobby_click_id
    return same_click and {who for who in table.seats if not who.is_computer} <= set(there.seats)
