"""A person at many tables: pinged for one at a time, by one of several processes."""

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from bot.features.blocks.service import Blocks
from bot.features.privacy.service import ServerDataService
from bot.features.reminders import storage as reminder_storage
from bot.features.reminders.model import PingChoice, PingMode, QuietHours
from bot.features.tournaments.service import TournamentService
from bot.platform.database.database import Database
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed
from bot.platform.places import Location, Person
from bot.tables.model import TableId
from bot.tables.table import Table
from tests.store.make_host import MakeHost
from tests.store.samples import Connect
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fakes import ROBIN, FakeClock, mover_of, roll, start_game
from tests.support.hosts import Host
from tests.support.silent_players import TWO_MINUTES, check_reminders

StartHost = Callable[[], Awaitable[Host]]


@pytest.fixture
def start(connect: Connect, make_host: MakeHost) -> StartHost:
    """Start processes over one database and one Discord."""

    async def make() -> Host:
        return make_host(await connect())

    return make


async def wait_for_robin(host: Host, clock: FakeClock, number: int, guild_id: int = 3) -> Table:
    """Start a table of Robin and somebody else, where it is Robin's turn a second after that at the table before."""
    location = Location(guild_id, 1000 + number)
    table = await start_game(host.service, ROBIN, Person(100 + number, "Wren"), location=location)
    while mover_of(table) != ROBIN:
        table = await roll(host.service, table)
    clock.tick()
    return table


def pinged(sender: FakeMessageSender) -> list[TableId]:
    """Return the tables for which Robin was pinged, in order."""
    return [table_id for table_id, user_id in sender.reminded if user_id == ROBIN.id]


@pytest.mark.every_database
async def test_several_tables_send_one_ping_and_each_next_one_after_the_last_is_answered(
    start: StartHost, sender: FakeMessageSender, clock: FakeClock
) -> None:
    hosts = await start(), await start()
    tables = [await wait_for_robin(hosts[0], clock, number) for number in range(4)]
    clock.tick(TWO_MINUTES)
    for count, table in enumerate(tables, 1):
        for _ in range(3):
            await asyncio.gather(*(host.reminders.check() for host in hosts))
            await asyncio.gather(*(host.reminders.close() for host in hosts))
        assert pinged(sender) == [each.id for each in tables[:count]], "the longest wait first"
        await roll(hosts[count % 2].service, table)


LetGo = Callable[[Host, ServerDataService, Table], Awaitable[object]]


@pytest.mark.parametrize(
    "let_go",
    [
        pytest.param(lambda host, _, table: host.service.cancel(table.id, ROBIN, is_moderator=False), id="cancelled"),
        pytest.param(
            lambda host, _, table: host.reminders.note_channel_deleted(table.header.location.channel_id),
            id="deleted channel",
        ),
        pytest.param(lambda _, servers, table: servers.note_left(table.header.location.guild_id), id="left server"),
        pytest.param(lambda _, servers, __: servers.note_present([3]), id="server left meanwhile"),
    ],
)
async def test_a_table_that_is_over_or_out_of_reach_lets_the_next_ping_go(
    start: StartHost, db: Database, sender: FakeMessageSender, clock: FakeClock, let_go: LetGo
) -> None:
    host = await start()
    tables = [await wait_for_robin(host, clock, number, guild_id) for number, guild_id in enumerate((4, 3, 3))]
    clock.tick(TWO_MINUTES)
    await check_reminders(host)
    assert pinged(sender) == [tables[0].id]
    tournaments = TournamentService(db, Blocks(db, clock), clock)
    servers = ServerDataService(db, host.service, tournaments.close_in, reminder_storage.forget_in_server)
    await let_go(host, servers, tables[0])
    for _ in range(3):
        await check_reminders(host)
    assert pinged(sender) == [each.id for each in tables[:2]], "the one that stands holds the next one back"


async def test_a_thread_of_a_deleted_channel_holds_no_ping_back(
    start: StartHost, sender: FakeMessageSender, clock: FakeClock
) -> None:
    host = await start()
    tables = [await wait_for_robin(host, clock, number) for number in range(2)]
    location = tables[0].header.location
    assert location.guild_id is not None
    clock.tick(TWO_MINUTES)
    await check_reminders(host)
    await host.reminders.look_for_lost_channels(location.guild_id)
    sender.deleted_channels.add(location.channel_id)
    sender.faults.append(DeliveryFailed("Discord is down"))
    await host.reminders.look_for_lost_channels(location.guild_id)
    await check_reminders(host)
    assert pinged(sender) == [tables[0].id], "its channel exists, as far as is known"
    await host.reminders.look_for_lost_channels(location.guild_id)
    await check_reminders(host)
    assert pinged(sender) == [each.id for each in tables]


async def test_a_ping_that_cannot_be_posted_lets_the_next_one_go(
    start: StartHost, sender: FakeMessageSender, clock: FakeClock
) -> None:
    host = await start()
    tables = [await wait_for_robin(host, clock, number) for number in range(2)]
    clock.tick(TWO_MINUTES)
    sender.faults = [ChannelUnreachable("deleted")]
    for _ in range(3):
        await check_reminders(host)
    assert pinged(sender) == [tables[1].id]


async def test_a_ping_that_was_ignored_for_a_day_holds_no_others_back(
    start: StartHost, sender: FakeMessageSender, clock: FakeClock
) -> None:
    host = await start()
    abandoned = await wait_for_robin(host, clock, 0)
    clock.tick(TWO_MINUTES)
    await check_reminders(host)
    clock.tick(22 * 60 * 60)
    table = await wait_for_robin(host, clock, 1)
    clock.tick(60 * 60)
    await check_reminders(host)
    assert pinged(sender) == [abandoned.id]
    clock.tick(60 * 60)
    await check_reminders(host)
    assert pinged(sender) == [abandoned.id, table.id]


async def test_after_quiet_hours_one_ping_comes(
    start: StartHost, db: Database, sender: FakeMessageSender, clock: FakeClock
) -> None:
    hosts = await start(), await start()
    quiet = QuietHours("UTC", clock.now.hour, (clock.now.hour + 1) % 24)
    await db.write(reminder_storage.choose_quiet_hours, ROBIN.id, quiet)
    await db.write(reminder_storage.choose, ROBIN.id, 0, PingChoice(PingMode.DIRECT, 0))
    tables = [await wait_for_robin(hosts[0], clock, number) for number in range(5)]
    for minutes, count in ((0, 0), (61, 1), (1, 1)):
        clock.now += timedelta(minutes=minutes)
        for _ in range(2):
            await asyncio.gather(*(host.reminders.check() for host in hosts))
            await asyncio.gather(*(host.reminders.close() for host in hosts))
        assert pinged(sender) == [each.id for each in tables[:count]]
    await roll(hosts[1].service, tables[0])
    for _ in range(2):
        await check_reminders(hosts[1])
    assert pinged(sender) == [each.id for each in tables[:2]]
