"""Opens tables: from a command or click, for a rematch, for the next game of a series, and for a pairing."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import replace

from bot.platform.places import Location, Person
from bot.rules.game import Options
from bot.rules.options import load_options
from bot.rules.refusals import Refusal
from bot.tables import clocks, lobby, series, storage
from bot.tables.aside import place_taken_refusal, table_in_the_way
from bot.tables.events import NotTogether
from bot.tables.model import (
    NO_LIMITS,
    ClockState,
    Header,
    HostChoice,
    Occupant,
    OpeningLimits,
    SeriesLink,
    TableId,
    TurnClock,
    build_lobby_header,
    people_in,
)
from bot.tables.refusals import DuplicateInteraction, HostReason, LimitFacts, TableFacts
from bot.tables.registry import AnyPackage
from bot.tables.service import SEED_BYTES, TableService
from bot.tables.storage import AlreadyContinued, ServerFull, TableExists, TooManyTables
from bot.tables.table import Table


def new_header(
    service: TableService, package: AnyPackage, options: Options, opener: Person, location: Location
) -> Header:
    """Return the header of a new table, with a new seed."""
    info, seed = package.game.info, service.entropy(SEED_BYTES)
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
    level: str = "",
    clock: TurnClock = TurnClock.NONE,
    limits: OpeningLimits = NO_LIMITS,
) -> Table:
    """Open a table with its opener in the first seat. A clock that makes no sense there is dropped.

    Args:
        service: The tables.
        game: The game's key.
        options: The game's options.
        opener: The person who opens it.
        location: Where.
        click_id: The id of the interaction.
        computers: The number of computer players.
        level: Their level; empty for the usual one.
        clock: The time for a turn.
        limits: How many tables may be open in the server.

    Raises:
        Refusal: The channel has a table, or there are too many.
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
        table = lobby.with_computer(table, level)
    return await open_table(service, table, limits)


async def require_room(
    service: TableService, opener: Person, guild_id: int | None, limits: OpeningLimits = NO_LIMITS
) -> None:
    """Raise a Refusal if too many tables are open to open another. Opening checks this again."""
    limits = _with_limit_of_host(service, limits)
    with _refusing_above(limits):
        await service.db.read(storage.require_room, opener.id, guild_id, limits)


async def play_again(
    service: TableService,
    table_id: TableId,
    person: Person,
    click_id: int,
    limits: OpeningLimits = NO_LIMITS,
    *,
    fixed: Collection[HostChoice] = (),
    clock: TurnClock = TurnClock.NONE,
) -> Table:
    """Open a table with the options and computer players of a finished one, and start it if its only person asks.

    The other people get no seat without a click of their own, but the lobby keeps seats for those whom no moderator has
    removed.

    Args:
        service: The tables.
        table_id: The finished table.
        person: The person who asks.
        click_id: The id of the interaction.
        limits: How many tables may be open in the server.
        fixed: The choices of hosts that the server has fixed, which the new table does not take from the finished one.
        clock: The server's time for a turn.

    Raises:
        Refusal: Like `open_table`.
        DuplicateInteraction: Like `open_table`.
    """
    old = await service.table(table_id)
    table = Table(_header_again(service, old, person, fixed), lobby.play_again(old, person, click_id), old.package)
    if HostChoice.CLOCK in fixed and clocks.may_have_clock(table):
        table = replace(table, header=replace(table.header, clock=ClockState(clock)))
    # Used once, even if nobody learns whether the table was stored.
    if (seed := service.next_seeds.pop(old.id, None)) is not None:
        try:
            opened = await open_table(service, replace(table, header=replace(table.header, seed=seed)), limits)
        except Refusal:
            service.next_seeds[old.id] = seed
            raise
        return await service.start(opened.id, person, click_id)
    kept = people_in(who for seat, who in enumerate(old.seats) if seat not in old.seat_status.removed) - {person.id}
    # No query checks this first: in hardly any rematch are there people who may not share a table.
    while True:
        try:
            return await open_table(service, replace(table, header=replace(table.header, kept=kept)), limits)
        except NotTogether as fault:
            # Each feature names the people that it keeps apart; the next one may name others.
            if kept.isdisjoint(fault.left_out):
                raise
            kept -= fault.left_out


def _header_again(service: TableService, old: Table, person: Person, fixed: Collection[HostChoice]) -> Header:
    """Return the header of another game, with what the host of the finished one has chosen, unless it is fixed."""
    header = new_header(service, old.package, old.options, person, old.header.location)
    if HostChoice.HINTS not in fixed:
        # At tables where everyone has the same dice, hints are off without the opener's choice.
        header = replace(header, allows_hints=old.header.allows_hints or not old.kind.has_own_dice)
    if HostChoice.PACE not in fixed:
        header = replace(header, pace=old.header.pace)
    if HostChoice.CLOCK not in fixed:
        header = replace(header, clock=ClockState(old.header.clock.limit))
    return header


async def continue_series(service: TableService, table_id: TableId, person: Person, click_id: int) -> Table:
    """Open the next table of a series; raise like `open_table`, and refuse if it exists."""
    old = await service.table(table_id)
    following, seats = series.continue_series(old, person, click_id)
    header = new_header(service, old.package, following.options, person, old.header.location)
    clock = ClockState(old.header.clock.limit)
    header = replace(
        header, link=following.link, allows_hints=old.header.allows_hints, pace=old.header.pace, clock=clock
    )
    return await open_table(service, Table(header, seats, old.package))


async def open_pairing(
    service: TableService, game: str, options: str, seats: tuple[Occupant, ...], location: Location, link: SeriesLink
) -> Table:
    """Open the table of a pairing, without hints, however many tables its players have.

    Raises:
        Refusal: The channel has a table, or a table of the pairing has started.
        DuplicateInteraction: Another process has opened the table.
    """
    package = service.games[game]
    chosen = series.single_game(package, load_options(package.game.info.options, options))
    header = new_header(service, package, chosen, Person(seats[0].user_id or 0, seats[0].name), location)
    return await open_table(service, Table(replace(header, link=link, allows_hints=False), seats, package))


async def open_table(service: TableService, table: Table, limits: OpeningLimits = NO_LIMITS) -> Table:
    """Open a new table.

    Args:
        service: The tables.
        table: The table; its id is 0.
        limits: How many tables may be open in the server, besides the limit of the host.

    Raises:
        Refusal: Its place is taken, or there are too many.
        DuplicateInteraction: Another process handled the same interaction.
    """
    return service.accept_change(await _store_table(service, table, limits))


async def _store_table(service: TableService, table: Table, limits: OpeningLimits) -> Table:
    """Store a new table; refuse if its place is taken or a limit is reached."""
    limits = NO_LIMITS if table.kind.is_arranged else _with_limit_of_host(service, limits)
    try:
        with _refusing_above(limits):
            return await service.store_new(table, limits)
    except TableExists as taken:
        there = await table_in_the_way(service, taken.table_id)
        if _has_same_people(table, there):
            # The table has the contribution of this very interaction, so another process was faster.
            raise DuplicateInteraction(there.id) from taken
        if isinstance(taken, AlreadyContinued):
            raise Refusal(HostReason.GOES_ON_THERE, TableFacts(there)) from taken
        raise place_taken_refusal(service, there, table.header.opener_id) from taken


def _with_limit_of_host(service: TableService, limits: OpeningLimits) -> OpeningLimits:
    """Return the limits of a server, or the host's own where that is lower."""
    found = [most for most in (limits.most_by_opener, service.settings.max_open_tables) if most is not None]
    return replace(limits, most_by_opener=min(found, default=None))


@contextmanager
def _refusing_above(limits: OpeningLimits) -> Iterator[None]:
    """Raise a Refusal if a limit is exceeded."""
    try:
        yield
    except TooManyTables as fault:
        # The store raises these errors only with a limit.
        raise Refusal(HostReason.TOO_MANY_TABLES, LimitFacts(limits.most_by_opener or 0)) from fault
    except ServerFull as fault:
        raise Refusal(HostReason.SERVER_FULL, LimitFacts(limits.most_in_server or 0)) from fault


def _has_same_people(table: Table, there: Table) -> bool:
    """Return whether an open table has the same people as a new one, with the same contributions."""
    same_click = table.kind.has_own_dice or table.header.lobby_click_id == there.header.lobby_click_id
    return same_click and {who for who in table.seats if not who.is_computer} <= set(there.seats)
