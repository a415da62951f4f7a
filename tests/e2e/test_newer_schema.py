"""A process beside a newer schema ends with a sentence."""

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.support.processes import QUICK_START, kill_bot, spawn_bot, wait_until_online
from tests.support.waiting import DEADLINE_SECONDS

pytestmark = pytest.mark.slow

NEWER = (
    "UPDATE alembic_version SET version_num = '9999'",
    "ALTER TABLE jobs RENAME COLUMN claimed_until TO held_until",
)


def upgrade_to_a_newer_schema(file: Path) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        for statement in NEWER:
            connection.execute(statement)


async def test_a_process_that_needs_tables_of_before_ends_with_a_sentence(tmp_path: Path) -> None:
    sandbox, log, file = Sandbox(deadline=DEADLINE_SECONDS), tmp_path / "bot.log", tmp_path / "parlour.sqlite3"
    await sandbox.start()
    process = await spawn_bot(sandbox, f"sqlite+aiosqlite:///{file}", log, QUICK_START)
    try:
        await wait_until_online(sandbox, process)
        await asyncio.to_thread(upgrade_to_a_newer_schema, file)
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
