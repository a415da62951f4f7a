"""Helpers for tests about silent players."""

from bot.platform.places import Location, Person
from bot.tables.aside import put_aside
from bot.tables.service import TableService
from bot.tables.table import Table
from tests.support.fakes import HERE, ROBIN, WREN, FakeClock, roll, start_game
from tests.support.hosts import Host

TWO_MINUTES = 120
DAY = 86_400.0


async def start_game_of_others(service: TableService, number: int) -> Table:
    """Start the game with a number: in a channel of its own, of two people who play no other."""
    people = Person(10_000 + 2 * number, "Robin"), Person(10_001 + 2 * number, "Wren")
    return await start_game(service, *people, location=Location(3, 1000 + number))


async def check_reminders(host: Host) -> None:
    """Check as the host does every few seconds, and wait until all is done."""
    await host.reminders.check()
    await host.reminders.close()


async def check_idle_tables(host: Host) -> None:
    """Let the host look after silent tables, and wait until it has."""
    await host.announcements.check()
    await host.announcements.close()


async def make_aside_table(service: TableService, clock: FakeClock) -> Table:
    """Return a table of Robin and Wren that was put aside after a day."""
    table = await roll(service, await start_game(service, ROBIN, WREN))
    clock.tick(DAY)
    await put_aside(service, table.id, HERE.channel_id)
    return await service.table(table.id)
