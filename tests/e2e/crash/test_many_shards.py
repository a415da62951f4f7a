"""Processes that start together connect all shards, as fast as Discord allows."""

import asyncio
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.e2e.crash.leased_processes import run_processes
from tests.support.emoji import add_emoji
from tests.support.processes import START_SECONDS
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.long, pytest.mark.postgres]

SHARDS, CONCURRENCY, PROCESSES = 64, 16, 2

IDENTIFY_SECONDS = 4.0
"""How far apart the shards of a bucket must identify: a second less than on Discord, as a busy machine delays some."""

CONNECT_SECONDS = 30.0
"""Within this all of many shards are connected, once the processes have been started: there are four rounds."""


async def test_processes_share_what_discord_allows(database: str, tmp_path: Path) -> None:
    sandbox = Sandbox(shards=SHARDS, max_concurrency=CONCURRENCY, identify_seconds=IDENTIFY_SECONDS)
    add_emoji(sandbox)
    await sandbox.start()
    async with run_processes(
        sandbox, database, tmp_path, f"auto/{SHARDS}", {}, SHARDS_PER_PROCESS=str(SHARDS // PROCESSES)
    ) as processes:
        started = [await processes.spawn() for _ in range(PROCESSES)]
        await wait_until(lambda: all(each.shards for each in started), START_SECONDS)
        async with asyncio.timeout(CONNECT_SECONDS):
            await asyncio.gather(*(each.wait_until_serving() for each in started))
        await wait_until(lambda: sandbox.gateway.session_count == SHARDS, CONNECT_SECONDS)
        assert sandbox.gateway.early_identify_count == 0
        assert [line for each in started for line in each.warnings] == []
    await sandbox.stop()
