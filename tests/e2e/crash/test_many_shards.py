"""Processes that start together connect all shards, as fast as Discord allows."""

import asyncio
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.e2e.crash.leased_processes import run_processes
from tests.support.emoji import add_emoji
from tests.support.forked_process import Duration
from tests.support.processes import QUICK_START, START_SECONDS
from tests.support.waiting import wait_until

pytestmark = pytest.mark.slow

SHARDS, CONCURRENCY, PROCESSES = 8, 4, 2
MANY_SHARDS, HIGH_CONCURRENCY = 64, 16

IDENTIFY_SECONDS = 4.0
"""How far apart the shards of a bucket must identify: a second less than on Discord, as a busy machine delays some."""
QUICK_IDENTIFY_SECONDS = 1.0
"""The same with `QUICK_IDENTIFIES`, which leave a busy machine as much time."""

QUICK_IDENTIFIES: Mapping[str, Duration] = {
    **QUICK_START,
    "bot.platform.discord.gateway.IDENTIFY_EVERY": timedelta(seconds=2.5),
}

CONNECT_SECONDS = 30.0
"""Within this all of many shards are connected, once the processes have been started: there are four rounds."""


@pytest.mark.postgres
async def test_processes_share_what_discord_allows(database: str, tmp_path: Path, *, is_long: bool) -> None:
    shards, concurrency = (MANY_SHARDS, HIGH_CONCURRENCY) if is_long else (SHARDS, CONCURRENCY)
    seconds, constants = (IDENTIFY_SECONDS, {}) if is_long else (QUICK_IDENTIFY_SECONDS, QUICK_IDENTIFIES)
    sandbox = Sandbox(shards=shards, max_concurrency=concurrency, identify_seconds=seconds)
    add_emoji(sandbox)
    await sandbox.start()
    async with run_processes(
        sandbox, database, tmp_path, f"auto/{shards}", constants, SHARDS_PER_PROCESS=str(shards // PROCESSES)
    ) as processes:
        started = [await processes.spawn() for _ in range(PROCESSES)]
        await wait_until(lambda: all(each.shards for each in started), START_SECONDS)
        async with asyncio.timeout(CONNECT_SECONDS):
            await asyncio.gather(*(each.wait_until_serving() for each in started))
        await wait_until(lambda: sandbox.gateway.session_count == shards, CONNECT_SECONDS)
        assert sandbox.gateway.early_identify_count == 0
        assert [line for each in started for line in each.warnings] == []
    await sandbox.stop()
