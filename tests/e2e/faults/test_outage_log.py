"""What the log says while the database fails, with people, computer players and a monitor busy: two lines."""

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial

import aiohttp
import pytest

from bot.commands.console import NOISY_LOGGERS
from bot.platform.database import errors as outage
from bot.platform.database.database import Database
from bot.platform.observability.health import HealthServer
from bot.platform.observability.metrics import Metrics
from bot.sandbox import Sandbox
from bot.sandbox.model.messages import Message
from bot.sandbox.people.person import Person
from bot.tables.host import Host
from bot.tables.usage import read_stats
from tests.support.parlour import ROLL, Parlour, button_id, run_parlour
from tests.support.postgres import PostgresServer
from tests.support.waiting import DEADLINE_SECONDS

pytestmark = pytest.mark.slow

ROUNDS, CLICKS = 4, 5
Monitor = Callable[[], Awaitable[None]]

MONITOR_SECONDS = 0.05
"""How often the monitor asks until the database works again."""

MAX_LINES = 12
"""The two, and what ordinary things log while the bot goes on."""


@asynccontextmanager
async def stop_server(postgres: PostgresServer) -> AsyncIterator[None]:
    """Stop the server for a while."""
    await asyncio.to_thread(postgres.stop)
    try:
        yield
    finally:
        await asyncio.to_thread(postgres.start)


@contextmanager
def assert_two_lines(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Check that an outage is logged in two lines without a traceback, no matter how much fails meanwhile."""
    # As in the bot's process; the later level is also that of `caplog`.
    caplog.set_level(NOISY_LOGGERS["psycopg"], logger="psycopg")
    caplog.set_level(logging.INFO)
    caplog.clear()
    yield
    assert not [record for record in caplog.records if record.exc_info]
    begins, over = [record.getMessage() for record in caplog.records if record.levelno >= logging.WARNING]
    assert begins.startswith("the database fails; further failures are counted until it works again: ")
    assert over.startswith("the database works again: ")
    failed = int(re.findall(r"(\d+) writes failed", over)[0])
    assert failed >= ROUNDS * CLICKS // 2
    assert len(caplog.records) < MAX_LINES
    caplog.clear()


@asynccontextmanager
async def run_monitor(db: Database) -> AsyncIterator[Monitor]:
    """Run the health endpoint; the yielded function asks it once, as a monitor does every few seconds."""
    health = HealthServer(Metrics(), db.ping, partial(db.read, read_stats))
    port = await health.start("127.0.0.1", 0)
    async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as http:

        async def ask() -> None:
            for path in ("/ready", "/metrics"):
                async with http.get(path) as response:
                    await response.read()

        yield ask
    await health.stop()


async def ask_everything(parlour: Parlour, mover: Person, message: Message, monitor: Monitor) -> None:
    """Let people, suggestions, chores and a monitor ask the database, all at once."""
    host, there = parlour.client.app.service(Host), parlour.elsewhere
    host.service.cache.evict(1)
    host.publisher.wake(1, again=True)
    host.publisher.refresh([1, 2])
    await asyncio.gather(
        *(mover.click(message, button_id(message, ROLL)) for _ in range(CLICKS)),
        parlour.wren.autocomplete(there, "magpie roll", focused="dice"),
        parlour.wren.autocomplete(there, "table replay", focused="table"),
        parlour.linnet.slash(there, "magpie new"),
        parlour.linnet.slash(parlour.here, "leaderboard", game="magpie"),
        host.sweep(),
        monitor(),
        return_exceptions=True,
    )


async def run_outage(parlour: Parlour, postgres: PostgresServer, caplog: pytest.LogCaptureFixture) -> None:
    """Let everything that asks the database do so while it fails, and until it works again."""
    message = await parlour.start_game(parlour.robin, parlour.wren, target=500)
    answer = await parlour.jay.slash(parlour.elsewhere, "magpie new", computers=1)
    await parlour.press(parlour.jay, answer.replies[0], "Start")
    await parlour.wait_until_shown()
    mover = await parlour.mover()
    with assert_two_lines(caplog):
        async with run_monitor(parlour.db) as monitor:
            async with stop_server(postgres):
                for _ in range(ROUNDS):
                    await ask_everything(parlour, mover, message, monitor)
            async with asyncio.timeout(DEADLINE_SECONDS):
                while "the database works again" not in caplog.text:
                    await monitor()
                    await asyncio.sleep(MONITOR_SECONDS)
    answer = await parlour.press(await parlour.mover(), message, ROLL)
    assert not answer.replies


@pytest.fixture(autouse=True)
def soon_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outage, "RECOVERY_SECONDS", 1.0)
    monkeypatch.setattr("bot.tables.computer_players.OUTAGE_SECONDS", 0.05)
    monkeypatch.setattr("bot.platform.jobs.looks.ROUND_SECONDS", 0.1)


@pytest.mark.postgres
async def test_a_stopped_server_is_logged_as_one_outage(
    sandbox: Sandbox, postgres: PostgresServer, caplog: pytest.LogCaptureFixture
) -> None:
    async with run_parlour(sandbox, postgres.empty_database("away"), pause=0.1) as parlour:
        await run_outage(parlour, postgres, caplog)
