"""The people, the clock and the tables that tests play with."""

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import count

from bot.games.magpie import PACKAGE as MAGPIE
from bot.games.magpie.pieces import MagpieOptions
from bot.platform.clock import Clock, Downtime, utc_now
from bot.platform.places import Location, Person
from bot.tables import lobby as lobby_actions
from bot.tables.model import Occupant, Status, build_lobby_header
from bot.tables.opening import open_game
from bot.tables.registry import AnyPackage, GameRegistry
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.apps import shared_app
from tests.support.memory_database import MemoryDatabase

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
HERE = Location(guild_id=3, channel_id=70)
GAMES = GameRegistry([MAGPIE])

ROBIN, WREN, JAY, LINNET = PEOPLE = tuple(
    Person(11 + at, name) for at, name in enumerate(("Robin", "Wren", "Jay", "Linnet"))
)
STRANGER = Person(99, "Stranger")

ALL_FIVE = "roll 1 2 3 4 5"

START_CLICK = 599

NEW_CLICKS = count(7_000_000)
"""Unused ids of clicks."""


class FakeClock(Clock):
    """A clock that shows the time it was set to; the bot has run until then."""

    def __init__(self, now: datetime = NOON) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def ago(self, span: timedelta) -> datetime:
        return self() - span

    def leave_out(self, downtimes: Iterable[Downtime]) -> None:
        """Ignore that setting this clock forward looks like downtime."""

    def tick(self, seconds: float = 1) -> None:
        self.now += timedelta(seconds=seconds)


class FakeClockAhead(FakeClock):
    """A clock ahead of this machine's by as much as a test says."""

    def __init__(self, by: timedelta = timedelta()) -> None:
        super().__init__()
        self.by = by

    def __call__(self) -> datetime:
        return utc_now() + self.by


def fixed_entropy(count: int) -> bytes:
    """Return the same bytes every time."""
    return bytes(range(count))


def make_service(
    db: MemoryDatabase,
    games: Mapping[str, AnyPackage] = GAMES,
    clock: Clock | None = None,
) -> TableService:
    """Make a service with fixed entropy."""
    service = TableService(db, games, clock=clock or FakeClock(), entropy=fixed_entropy)
    service.hooks = shared_app().tables.hooks
    return service


async def open_lobby(
    service: TableService,
    *people: Person,
    computers: int = 0,
    location: Location = HERE,
    options: MagpieOptions | None = None,
) -> Table:
    """Open a table of Magpie and seat everyone; the first person opens it."""
    opener, *others = people or (ROBIN,)
    chosen = options or MagpieOptions()
    table = await open_game(service, "magpie", chosen, opener, location, click_id=500, computers=computers)
    for at, person in enumerate(others, 501):
        table = await service.join(table.id, person, at)
    return table


async def start_game(
    service: TableService,
    *people: Person,
    computers: int = 0,
    location: Location = HERE,
    options: MagpieOptions | None = None,
) -> Table:
    """Start a table of Magpie, of three people unless others are named."""
    people = people or (ROBIN, WREN, JAY)
    table = await open_lobby(service, *people, computers=computers, location=location, options=options)
    return await service.start(table.id, people[0], START_CLICK)


def mover_of(table: Table) -> Person:
    """Return the person whose turn it is."""
    assert table.mover is not None
    assert table.mover.user_id is not None
    return Person(table.mover.user_id, table.mover.name)


async def roll(service: TableService, table: Table, text: str = ALL_FIVE) -> Table:
    """Make the move of the person whose turn it is."""
    step = table.header.step
    return await service.play(table.id, mover_of(table), step, text, 9000 + step)


def make_table(
    *seats: Occupant, status: Status = Status.LOBBY, package: AnyPackage = MAGPIE, **header: object
) -> Table:
    """Make a table without any store; the first seat's person has opened it."""
    seats = seats or tuple(
        lobby_actions.make_occupant(person, 500 + at) for at, person in enumerate((ROBIN, WREN, JAY))
    )
    opener_id = next(who.user_id for who in seats if who.user_id is not None)
    info = package.game.info
    lobby = build_lobby_header(
        info.key, info.version, "{}", location=HERE, opener_id=opener_id, seed=fixed_entropy(32), at=NOON
    )
    table = Table(replace(lobby, **{"id": 1, **header}), seats, package)  # type: ignore[arg-type]
    if status is Status.LOBBY:
        return table
    if status in (Status.CANCELLED, Status.EXPIRED):
        return replace(table, header=replace(table.header, status=status))
    table = lobby_actions.start(table, Person(opener_id, "Opener"), START_CLICK)
    if status is Status.PLAYING:
        return table
    over = replace(table, header=replace(table.header, status=status, to_move=None))
    return replace(over, state=None) if status in (Status.HELD, Status.HELD_ASIDE) else over


def as_solo(table: Table) -> Table:
    """Return a table as it would be if its game were for one."""
    game = copy(table.package.game)
    # Games are plain objects whose facts belong to their class.
    game.info = replace(game.info, least_seats=1, most_seats=1)  # type: ignore[misc]
    header = replace(table.header, to_move=table.header.to_move and 0)
    return replace(table, header=header, seats=table.seats[:1], package=replace(table.package, game=game))
