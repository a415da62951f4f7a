"""Shutdown while people click: every received click is answered, and nothing is logged as an error."""

import asyncio
import os
import signal
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import make_url

from bot.platform.database.database import Database
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import InteractionState
from bot.tables import storage as table_storage
from tests.support.databases import PostgresDatabases
from tests.support.forked_process import ForkedProcess
from tests.support.parlour import ROLL, Parlour, button_id
from tests.support.postgres import PostgresServer
from tests.support.processes import DIRECT_ANSWERS, PATIENT_SHUTDOWN, kill_bot, spawn_bot, wait_until_online
from tests.support.waiting import DEADLINE_SECONDS, Gate, wait_until

pytestmark = pytest.mark.slow

TIMEOUT_SECONDS = 30.0

SHORT_TIMEOUTS = DIRECT_ANSWERS | {
    "bot.platform.discord.client.ANSWER_SECONDS": 0.5,
    "bot.tables.host.FINISH_SECONDS": 0.2,
    "bot.tables.host.SHOW_SECONDS": 0.2,
    "bot.tables.host.WRITE_SECONDS": 0.2,
    "bot.platform.database.postgres.CLOSE_SECONDS": 0.2,
    "bot.platform.database.postgres.QUEUE_SECONDS": 2.0,
    "bot.platform.database.postgres.TRANSACTION_SECONDS": 4.0,
}
"""The time limits that run out one after another if the database does not answer."""


class SlowStore:
    """Holds a store's moves up."""

    def __init__(self, db: Database) -> None:
        self.gate = Gate()
        self._write_statement = db.write_statement

    async def write_statement(self, work: Callable[..., Any], *parts: Any) -> Any:
        await self.gate.wait()
        return await self._write_statement(work, *parts)


async def test_an_interaction_received_before_shutdown_is_answered(
    parlour: Parlour, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = await parlour.start_game(parlour.robin, parlour.wren)
    await parlour.wait_until_settled()
    mover, slow = await parlour.mover(), SlowStore(parlour.db)
    monkeypatch.setattr(parlour.db, "write_statement", slow.write_statement)
    acting = asyncio.create_task(parlour.press(mover, message, ROLL))
    await slow.gate.reached.wait()
    ending = asyncio.create_task(parlour.client.close())
    await wait_until(lambda: not parlour.sandbox.bot_online)
    assert not ending.done()
    slow.gate.open()
    assert (await acting).state is InteractionState.RESPONDED
    await ending
    record = await parlour.db.read(table_storage.load, 1)
    assert record is not None
    assert record.header.step == 1
    assert record.header.published == record.header.revision


@asynccontextmanager
async def run_bot(
    sandbox: Sandbox, address: str, log: Path, constants: Mapping[str, float] | None = None
) -> AsyncIterator[ForkedProcess]:
    """Run the bot until the block ends; it must have been told to end by then, and have ended in order."""
    process = await spawn_bot(sandbox, address, log, constants)
    try:
        yield await wait_until_online(sandbox, process)
        assert await asyncio.wait_for(process.wait(), TIMEOUT_SECONDS) == 0
    finally:
        await kill_bot(sandbox, process)


async def test_a_process_stopped_under_load_exits_cleanly(tmp_path: Path) -> None:
    sandbox, log = Sandbox(deadline=DEADLINE_SECONDS), tmp_path / "bot.log"
    address = f"sqlite+aiosqlite:///{tmp_path / 'parlour.sqlite3'}"
    await sandbox.start()
    robin, wren, channel = sandbox.person("Robin"), sandbox.person("Wren"), sandbox.channel("table-one")
    try:
        async with run_bot(sandbox, address, log, PATIENT_SHUTDOWN) as process:
            message = (await robin.slash(channel, "magpie new")).replies[0]
            join = button_id(message, "Join")
            clicks = [asyncio.create_task(person.click(message, join, forged=True)) for person in (robin, wren) * 20]
            await wait_until(lambda: sum(click.done() for click in clicks) >= 10)
            process.terminate()
        # No one is left who could answer the others.
        sandbox.world.clock.advance(DEADLINE_SECONDS)
        await asyncio.gather(*clicks)
        assert log.read_text() == ""
    finally:
        await sandbox.stop()


@pytest.mark.postgres
async def test_a_frozen_database_does_not_block_shutdown(
    sandbox: Sandbox, postgres: PostgresServer, tmp_path: Path
) -> None:
    address = PostgresDatabases(postgres).migrated()
    robin, wren, channel = sandbox.person("Robin"), sandbox.person("Wren"), sandbox.channel("table-one")
    async with run_bot(sandbox, address, tmp_path / "bot.log", SHORT_TIMEOUTS) as process:
        (message,) = (await robin.slash(channel, "magpie new")).replies
        with freeze_server(postgres, str(make_url(address).database)):
            joining = await wren.click(message, button_id(message, "Join"))
            assert joining.state is InteractionState.RESPONDED
            process.terminate()
            await asyncio.wait_for(process.wait(), TIMEOUT_SECONDS)


@contextmanager
def freeze_server(server: PostgresServer, database: str) -> Iterator[None]:
    """Freeze a server, so that it accepts requests and never answers."""
    with server.admin() as admin:
        found = admin.execute("SELECT pid FROM pg_stat_activity WHERE datname = %s", [database]).fetchall()
    main = int((server.folder / "data" / "postmaster.pid").read_text().split()[0])
    processes = [main, *(pid for (pid,) in found)]
    for pid in processes:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in processes:
            os.kill(pid, signal.SIGCONT)
