"""What the stores of a process share."""

import asyncio
from pathlib import Path

from bot.app.store import SqlStore
from bot.platform.database.compiled import COMPILED
from tests.support.databases import SqliteFiles


async def test_statements_are_compiled_once_for_all_connections_and_stores(tmp_path: Path) -> None:
    files = SqliteFiles(tmp_path)
    first, second = SqlStore(files.migrated()), SqlStore(files.migrated())
    await first.set_value("one", "1")
    await first.get_value("one")
    compiled = len(COMPILED)
    for store in (first, second):
        await store.set_value("two", "2")
        assert await asyncio.gather(*(store.get_value("two") for _ in range(8))) == ["2"] * 8
        await store.close()
    assert len(COMPILED) == compiled
