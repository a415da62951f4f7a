from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.e2e.crash.leased_processes import QUICK_HAND_OVERS, SHARDS, Processes, run_processes
from tests.support.databases import PostgresDatabases
from tests.support.emoji import add_emoji
from tests.support.postgres import PostgresServer
from tests.support.waiting import DEADLINE_SECONDS


@pytest.fixture
async def busy() -> AsyncIterator[Sandbox]:
    """A sandbox for a crowd, without the checks of requests that other tests make."""
    running = Sandbox()
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def patient() -> AsyncIterator[Sandbox]:
    """The same, with people who wait for late answers."""
    running = Sandbox(deadline=DEADLINE_SECONDS)
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def sharded() -> AsyncIterator[Sandbox]:
    """A sandbox whose bot has several shards. A click that no process gets is not answered, however long one waits."""
    running = Sandbox(shards=SHARDS, deadline=DEADLINE_SECONDS)
    add_emoji(running)
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    """The address of a database on a server."""
    return PostgresDatabases(postgres).migrated()


@pytest.fixture
async def processes(sharded: Sandbox, database: str, tmp_path: Path) -> AsyncIterator[Processes]:
    """Processes with a shard each; those that are left are killed in the end."""
    shards = f"auto/{SHARDS}"
    async with run_processes(sharded, database, tmp_path, shards, QUICK_HAND_OVERS, SHARDS_PER_PROCESS="1") as running:
        yield running
