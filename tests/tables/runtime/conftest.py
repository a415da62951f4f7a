"""Hosts over a store in memory; the publisher's tests run in virtual time."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping

import pytest

from bot.tables.service import HostSettings
from tests.support.driven_computer_players import ComputerPlayersHarness, first_move, games_with
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, FakeClock
from tests.support.hosts import Host, MakeHost
from tests.support.memory_database import MemoryDatabase
from tests.support.virtual_time import VirtualLoop
from tests.tables.runtime.publishing import Publishing

IN_VIRTUAL_TIME = "test_publisher"
"""Timers are due there when nothing else is left to do. Nothing waits for threads or sockets, which have no time."""


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    if item.path.name.startswith(IN_VIRTUAL_TIME):
        return {"virtual": VirtualLoop}
    return {"real": asyncio.new_event_loop}


@pytest.fixture
async def make_host(
    db: MemoryDatabase, table_messages: FakeTableMessages, sender: FakeMessageSender, clock: FakeClock
) -> AsyncIterator[MakeHost]:
    """Processes of the bot over one store and one Discord."""
    made: list[Host] = []

    def make(*, reminds: bool = True) -> Host:
        made.append(Host(db, GAMES, table_messages, sender, HostSettings(reminders=reminds), clock=clock))
        return made[-1]

    yield make
    db.broken, db.unanswered = set(), set()
    for host in made:
        await host.close()


@pytest.fixture
def host(make_host: MakeHost) -> Host:
    return make_host()


@pytest.fixture
async def driven(db: MemoryDatabase) -> AsyncIterator[ComputerPlayersHarness]:
    made = ComputerPlayersHarness(db, games_with(first=first_move))
    yield made
    await made.computer_players.close()


@pytest.fixture
async def publishing(db: MemoryDatabase, table_messages: FakeTableMessages) -> AsyncIterator[Publishing]:
    made = Publishing(db, table_messages)
    yield made
    await made.finish()
