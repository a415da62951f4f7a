"""The bot's process needs no more memory after hundreds of thousands of interactions than after a few."""

import asyncio
from pathlib import Path

import pytest

from bot.platform.database.database import open_database
from bot.sandbox import Sandbox
from bot.tables import storage as table_storage
from bot.tables.model import Status
from tests.bench.processes import memory_mib
from tests.e2e.soak.soak_players import SoakPlayers
from tests.support.games import load_games_once
from tests.support.processes import kill_bot, spawn_bot, wait_until_online

pytestmark = pytest.mark.long

WARM_UP_ACTS, TOTAL_ACTS = 50_000, 200_000
"""After so many interactions the bot has what it keeps at hand, and so many there are."""

MAX_GROWTH = 1.1
SETTLING_SECONDS = 12.0
"""In a pause of so long the bot looks for garbage; no one does anything then."""

ACTS_PER_REPORT = 10_000
SEED = 20261122


async def test_memory_does_not_grow(tmp_path: Path) -> None:
    sandbox = Sandbox(deadline=60)
    await sandbox.start()
    address, written = f"sqlite+aiosqlite:///{tmp_path / 'parlour.sqlite3'}", tmp_path / "bot.log"
    crowd = SoakPlayers(sandbox, SEED)
    process = await spawn_bot(sandbox, address, written)
    try:
        await wait_until_online(sandbox, process)
        await crowd.set_preferences()
        await _soak(crowd, process.pid)
        assert not crowd.unanswered
        assert process.returncode is None
    finally:
        await kill_bot(sandbox, process)
        await sandbox.stop()
    assert not written.read_text()
    await _assert_every_game_was_played(address)


async def _soak(crowd: SoakPlayers, process_id: int) -> None:
    taken: dict[int, float] = {}
    while crowd.acts < TOTAL_ACTS:
        await crowd.play(ACTS_PER_REPORT)
        await asyncio.sleep(
            SETTLING_SECONDS
            if crowd.acts // ACTS_PER_REPORT in (WARM_UP_ACTS // ACTS_PER_REPORT, TOTAL_ACTS // ACTS_PER_REPORT)
            else 0
        )
        taken[crowd.acts // ACTS_PER_REPORT * ACTS_PER_REPORT] = memory_mib(process_id)
    print({acts: f"{held} MiB" for acts, held in taken.items()})  # noqa: T201
    assert taken[TOTAL_ACTS] <= MAX_GROWTH * taken[WARM_UP_ACTS], taken


async def _assert_every_game_was_played(address: str) -> None:
    db, played = open_database(address), set[str]()
    try:
        number = 1
        while (record := await db.read(table_storage.load, number)) is not None:
            number += 1
            if record.header.status in (Status.PLAYING, Status.FINISHED):
                played.add(record.header.game)
    finally:
        await db.close()
    assert played == set(load_games_once())
