"""A process beside a newer schema goes on if it can, also after a restart; otherwise it ends with a sentence."""

import asyncio
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.support.parlour import ROLL, run_parlour, run_sandbox, shows_step
from tests.support.processes import QUICK_START, kill_bot, spawn_bot, wait_until_online
from tests.support.waiting import DEADLINE_SECONDS

pytestmark = pytest.mark.slow

EXPANDED = (
    "UPDATE alembic_version SET version_num = '0099_since_0001'",
    "ALTER TABLE tables ADD COLUMN mood TEXT",
    "ALTER TABLE moves ADD COLUMN weight INTEGER NOT NULL DEFAULT 0",
    "ALTER TABLE jobs ADD COLUMN priority INTEGER NOT NULL DEFAULT 0",
    "CREATE TABLE later (id INTEGER PRIMARY KEY)",
)
CONTRACTED = (
    "UPDATE alembic_version SET version_num = '9999'",
    "ALTER TABLE jobs RENAME COLUMN claimed_until TO held_until",
)


def upgrade_schema(file: Path, statements: Sequence[str]) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in statements:
            connection.execute(statement)


async def test_a_process_goes_on_and_starts_again_on_a_schema_that_was_only_expanded(tmp_path: Path) -> None:
    file = tmp_path / "parlour.sqlite3"
    async with run_sandbox() as sandbox:
        async with run_parlour(sandbox, file) as parlour:
            table = await parlour.start_game(parlour.robin, parlour.wren)
            await asyncio.to_thread(upgrade_schema, file, EXPANDED)
            await parlour.press(await parlour.mover(), table, ROLL)
            await sandbox.until(lambda: shows_step(table, 1))
        async with run_parlour(sandbox, file) as parlour:
            await parlour.press(await parlour.mover(), table, ROLL)
            await sandbox.until(lambda: shows_step(table, 2))
            assert not parlour.db.outgrown.is_set()


async def test_a_process_that_needs_tables_of_before_ends_with_a_sentence(tmp_path: Path) -> None:
    sandbox, log, file = Sandbox(deadline=DEADLINE_SECONDS), tmp_path / "bot.log", tmp_path / "parlour.sqlite3"
    await sandbox.start()
    process = await spawn_bot(sandbox, f"sqlite+aiosqlite:///{file}", log, QUICK_START)
    try:
        await wait_until_online(sandbox, process)
        await asyncio.to_thread(upgrade_schema, file, CONTRACTED)
        assert await asyncio.wait_for(process.wait(), DEADLINE_SECONDS) == 1
    finally:
        await kill_bot(sandbox, process)
        await sandbox.stop()
    told = await asyncio.to_thread(log.read_text)
    assert "Traceback" not in told
    assert told.splitlines()[-1] == (
        "A newer version of Parlour has upgraded the database, and this one can't use it any longer. "
        "Start the newer version instead."
    )
