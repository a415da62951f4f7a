"""The bot as a process of its own, told to end."""

import asyncio
from pathlib import Path

from bot.sandbox import Sandbox
from bot.store.store import SqlStore
from tests.e2e.crash.killer import Killer
from tests.support.parlour import id_of
from tests.support.processes import killed, online, spawned

ENDS = 4


async def test_a_polite_end_leaves_nothing_undone(sandbox: Sandbox, tmp_path: Path) -> None:
    address, log = f"sqlite+aiosqlite:///{tmp_path / 'parlour.sqlite3'}", tmp_path / "bot.log"
    process = await online(sandbox, await spawned(sandbox, address, log))
    try:
        opened = await sandbox.person("Robin").slash(sandbox.channel("table-one"), "magpie new")
        await sandbox.person("Wren").click(opened.replies[0], id_of(opened.replies[0], "Join"))
        process.terminate()
        assert await asyncio.wait_for(process.wait(), 30) == 0
    finally:
        await killed(sandbox, process)
    assert log.read_text() == ""
    store = SqlStore(address)
    record = await store.load(1)
    await store.close()
    assert record is not None
    assert [who.name for who in record.seats] == ["Robin", "Wren"]
    assert record.header.published == record.header.revision
    assert record.header.message_id == opened.replies[0].id


async def test_an_end_in_the_middle_of_moves_loses_nothing_and_is_in_order(busy: Sandbox, tmp_path: Path) -> None:
    killer = Killer(busy, tmp_path, seed=0)
    for _ in range(ENDS):
        await killer.end_politely()
        await killer.look()
    assert all(len(killer.witness.live_posts(table_id)) == 1 for table_id in killer.witness.posts)
