"""The bot in its own process, shut down gracefully."""

import asyncio
from pathlib import Path

import pytest

from bot.platform.database.database import open_database
from bot.sandbox import Sandbox
from bot.tables import storage as table_storage
from tests.e2e.crash.crash_runner import CrashRunner
from tests.support.parlour import button_id
from tests.support.processes import PATIENT_SHUTDOWN, kill_bot, spawn_bot, wait_until_online

SHUTDOWNS = 2


async def test_a_graceful_shutdown_finishes_pending_work(sandbox: Sandbox, tmp_path: Path) -> None:
    address, log = f"sqlite+aiosqlite:///{tmp_path / 'parlour.sqlite3'}", tmp_path / "bot.log"
    process = await wait_until_online(sandbox, await spawn_bot(sandbox, address, log, PATIENT_SHUTDOWN))
    try:
        opened = await sandbox.person("Robin").slash(sandbox.channel("table-one"), "magpie new")
        await sandbox.person("Wren").click(opened.replies[0], button_id(opened.replies[0], "Join"))
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 30) == 0
    finally:
        await kill_bot(sandbox, process)
    assert log.read_text() == ""
    db = open_database(address)
    record = await db.read(table_storage.load, 1)
    await db.close()
    assert record is not None
    assert [who.name for who in record.seats] == ["Robin", "Wren"]
    assert record.header.published == record.header.revision
    assert record.header.message_id == opened.replies[0].id


@pytest.mark.time_limit(180)
async def test_a_shutdown_during_moves_loses_nothing_and_exits_cleanly(busy: Sandbox, tmp_path: Path) -> None:
    killer = CrashRunner(busy, tmp_path, seed=0)
    for _ in range(SHUTDOWNS):
        await killer.terminate_once()
        await killer.check_disk()
    assert all(len(killer.observer.undeleted_posts(table_id)) == 1 for table_id in killer.observer.posts)
