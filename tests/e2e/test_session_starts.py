"""The bot and the number of sessions that it may begin in a day, through the sandbox."""

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.platform.discord.gateway import SessionStarts
from bot.sandbox import Sandbox
from bot.sandbox.model.interactions import InteractionState
from tests.support.parlour import run_parlour
from tests.support.waiting import DEADLINE_SECONDS, Gate

pytestmark = pytest.mark.slow


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> Gate:
    """Stands for the time until sessions may be begun again."""
    gate, make = Gate(), SessionStarts.__init__

    def make_impatient(starts: SessionStarts, fetch: object) -> None:
        make(starts, fetch, lambda _: gate.wait())  # type: ignore[arg-type]

    monkeypatch.setattr(SessionStarts, "__init__", make_impatient)
    return gate


async def test_a_bot_without_a_session_left_waits_until_it_may_begin_one(
    sandbox: Sandbox, tmp_path: Path, gate: Gate, caplog: pytest.LogCaptureFixture
) -> None:
    limit = sandbox.gateway.start_limit
    limit.remaining, limit.reset_after_ms = 0, 3_600_000

    async def renew() -> None:
        await gate.reached.wait()
        assert not sandbox.gateway.hello_count, "it does not even connect"
        limit.remaining = 1000
        gate.open()

    renewing = asyncio.create_task(renew())
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as parlour:
        await renewing
        await parlour.open_table(parlour.robin)
    assert limit.remaining == 999
    assert sum("lets the bot begin 0 more sessions" in each for each in caplog.messages) == 1


async def test_a_shard_that_may_begin_no_session_waits_while_another_resumes(
    tmp_path: Path, gate: Gate, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.platform.discord.gateway.IDENTIFY_EVERY", timedelta(seconds=0.2))
    monkeypatch.setattr("bot.platform.discord.gateway._LONGEST_PAUSE", 0.01)
    sandbox = Sandbox(shards=2, deadline=DEADLINE_SECONDS)
    await sandbox.start()
    waiting = (sandbox.world.server.id >> 22) % 2
    try:
        async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as parlour:
            async with asyncio.timeout(DEADLINE_SECONDS):
                await parlour.client.connected.wait()
                sandbox.gateway.start_limit.remaining = 0
                sandbox.gateway.invalidate_sessions(waiting)
                await gate.reached.wait()
                resumed = asyncio.create_task(parlour.client.wait_for("shard_resumed"))
                await asyncio.sleep(0)
                sandbox.gateway.drop_connections()
                assert await resumed == 1 - waiting
            assert sandbox.gateway.identify_count == 2
            back = asyncio.create_task(parlour.client.wait_for("shard_ready"))
            await asyncio.sleep(0)
            sandbox.gateway.start_limit.remaining = 1
            gate.open()
            async with asyncio.timeout(DEADLINE_SECONDS):
                assert await back == waiting
            assert sandbox.gateway.identify_count == 3
            answer = await parlour.robin.slash(parlour.here, "magpie new")
            assert answer.state is InteractionState.RESPONDED
    finally:
        await sandbox.stop()
    assert sum("lets the bot begin 0 more sessions" in each for each in caplog.messages) == 1
