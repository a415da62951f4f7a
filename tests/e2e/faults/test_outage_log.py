"""What the log says while the database fails, with people, computer players and a monitor busy: two lines."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from pathlib import Path

import pytest

from bot.observability.health import Health
from bot.observability.metrics import Pulse, Watch
from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.store import outage
from bot.store.store import SqlStore
from tests.e2e.faults.test_databases import told
from tests.support.parlour import Parlour, connected, id_of
from tests.support.patience import DEADLINE_SECONDS
from tests.support.postgres import PostgresServer

ROUNDS, CLICKS = 4, 5
MOST_LINES = 12
"""The two, and what ordinary things log while the bot goes on."""


@asynccontextmanager
async def without_server(postgres: PostgresServer) -> AsyncIterator[None]:
    """Stop the server for a while."""
    await asyncio.to_thread(postgres.stop)
    try:
        yield
    finally:
        await asyncio.to_thread(postgres.start)


@asynccontextmanager
async def read_only(parlour: Parlour) -> AsyncIterator[None]:
    """Let SQLite refuse every write, as it does where a file may only be read."""
    await told(parlour, "PRAGMA query_only=ON")
    try:
        yield
    finally:
        await told(parlour, "PRAGMA query_only=OFF")


@contextmanager
def two_lines(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """See that an outage is logged in two lines, whatever fails meanwhile, and without any traceback."""
    caplog.set_level(logging.INFO)
    caplog.clear()
    yield
    assert not [record for record in caplog.records if record.exc_info]
    begins, over = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert begins.startswith("the database fails; what else fails is counted until it works again: ")
    assert over.startswith("the database works again: ")
    failed = int(re.findall(r"(\d+) writes failed", over)[0])
    assert failed >= ROUNDS * CLICKS // 2
    assert len(caplog.records) < MOST_LINES
    caplog.clear()


class Asked:
    """What the health endpoint asks of the parlour's own store."""

    def __init__(self, store: SqlStore) -> None:
        self._store = store

    async def ping(self) -> None:
        await self._store.remember("ping", "there")

    async def pulse(self) -> Pulse:
        await self._store.unsettled(["magpie"], 0, 1)
        return Pulse({}, 0, None)


async def ask_everything(parlour: Parlour, mover: Person, message: Message, health: Health) -> None:
    """Let people, suggestions, chores and a monitor ask the database, all at once."""
    host, there = parlour.client.host, parlour.elsewhere
    host.service._cache.forget(1)
    host.publisher.wake(1, again=True)
    host.publisher.show_anew([1, 2])
    await asyncio.gather(
        *(mover.click(message, id_of(message, "Roll all five")) for _ in range(CLICKS)),
        parlour.wren.complete(there, "magpie roll", focused="dice"),
        parlour.wren.complete(there, "table replay", focused="table"),
        parlour.wren.complete(there, "table computer", focused="level"),
        parlour.linnet.slash(there, "magpie new"),
        parlour.linnet.slash(parlour.here, "leaderboard", game="magpie"),
        host.sweep(),
        health._asked(),
        health._pulse(),
        return_exceptions=True,
    )


async def go_through(
    parlour: Parlour, trouble: AbstractAsyncContextManager[None], caplog: pytest.LogCaptureFixture
) -> None:
    """Let everything that asks the database do so while it fails, and until it works again."""
    health = Health(Watch(), Asked(parlour.store))
    message = await parlour.started(parlour.robin, parlour.wren, target=500)
    answer = await parlour.jay.slash(parlour.elsewhere, "magpie new", computers=1)
    await parlour.press(parlour.jay, answer.replies[0], "Start")
    await parlour.caught_up()
    mover = await parlour.mover()
    with two_lines(caplog):
        async with trouble:
            for _ in range(ROUNDS):
                await ask_everything(parlour, mover, message, health)
        async with asyncio.timeout(DEADLINE_SECONDS):
            while "the database works again" not in caplog.text:
                await health._asked()
                await health._pulse()
                await asyncio.sleep(0.05)
    answer = await parlour.press(await parlour.mover(), message, "Roll all five")
    assert not answer.replies


@pytest.fixture(autouse=True)
def soon_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outage, "CALM_SECONDS", 1.0)
    monkeypatch.setattr("bot.tables.runtime.computer_players._OUTAGE_SECONDS", 0.05)
    monkeypatch.setattr("bot.tables.runtime.host._FLUSH_SECONDS", 0.1)


async def test_a_file_that_can_only_be_read(sandbox: Sandbox, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    async with connected(sandbox, tmp_path / "parlour.sqlite3", pause=0.1) as parlour:
        await go_through(parlour, read_only(parlour), caplog)


@pytest.mark.postgres
async def test_a_server_that_is_away(
    sandbox: Sandbox, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with connected(sandbox, postgres.empty_database("away"), pause=0.1) as parlour:
        await go_through(parlour, without_server(postgres), caplog)
