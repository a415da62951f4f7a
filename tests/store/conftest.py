import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from bot.platform.database import errors as outage
from bot.platform.database.database import Database, open_database
from bot.platform.jobs import downtimes
from bot.tables.service import HostSettings
from tests.store.make_host import MakeHost
from tests.store.samples import Connect
from tests.support.apps import shared_app
from tests.support.databases import Databases
from tests.support.fake_message_sender import FakeMessageSender
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import GAMES, FakeClock
from tests.support.hosts import Host
from tests.support.waiting import PATIENT_POSTGRES, PATIENT_SQLITE


@pytest.fixture(autouse=True)
def outages_are_meant(caplog: pytest.LogCaptureFixture) -> None:
    """Hide the log of outages, which has its own tests."""
    caplog.set_level(logging.CRITICAL, logger=outage.__name__)


@pytest.fixture(autouse=True)
def databases_have_the_processes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let PostgreSQL tell the time that tests set, as it tells that of one machine; SQLite does anyway."""
    monkeypatch.setattr(downtimes, "read_clock", lambda _connection, own: own)


@pytest.fixture(autouse=True)
def databases_have_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let no transaction fail because the machine is busy."""
    for limit, seconds in (PATIENT_SQLITE | PATIENT_POSTGRES).items():
        monkeypatch.setattr(limit, seconds)


@pytest.fixture
def address(databases: Databases) -> str:
    """The address of a database with all tables and no rows."""
    return databases.migrated()


@pytest.fixture
async def connect(address: str) -> AsyncIterator[Connect]:
    """Stores over one database, each with connections of its own."""
    async with AsyncExitStack() as stores:

        async def connect() -> Database:
            db = open_database(address)
            stores.push_async_callback(db.close)
            return db

        yield connect


@pytest.fixture
async def db(connect: Connect) -> Database:
    return await connect()


@pytest.fixture
async def make_host(
    connect: Connect,  # noqa: ARG001 - closes the stores afterwards
    sender: FakeMessageSender,
    clock: FakeClock,
) -> AsyncIterator[MakeHost]:
    """Processes of the bot over stores, with one Discord."""
    async with AsyncExitStack() as hosts:

        def make(db: Database) -> Host:
            host = Host(db, GAMES, FakeTableMessages(), sender, HostSettings(), clock=clock)
            host.service.hooks = shared_app().tables.hooks
            hosts.push_async_callback(host.close)
            return host

        yield make
