import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import pytest

from bot.store import outage
from bot.store.queries import served_shards
from bot.store.store import SqlStore
from tests.store.samples import Connect
from tests.support.databases import Databases


@pytest.fixture(autouse=True)
def outages_are_meant(caplog: pytest.LogCaptureFixture) -> None:
    """Hide the log of outages, which has its own tests."""
    caplog.set_level(logging.CRITICAL, logger=outage.__name__)


@pytest.fixture(autouse=True)
def databases_have_the_processes_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let PostgreSQL tell the time that tests set, as it tells that of one machine; SQLite does anyway."""
    monkeypatch.setattr(served_shards, "read_clock", lambda _connection, own: own)


@pytest.fixture
def address(databases: Databases) -> str:
    """The address of a database with all tables and no rows."""
    return databases.migrated()


@pytest.fixture
async def connect(address: str) -> AsyncIterator[Connect]:
    """Stores over one database, each with connections of its own."""
    async with AsyncExitStack() as stores:

        async def connect() -> SqlStore:
            store = SqlStore(address)
            stores.push_async_callback(store.close)
            return store

        yield connect


@pytest.fixture
async def store(connect: Connect) -> SqlStore:
    return await connect()
