"""The bot and the number of sessions that it may begin in a day, through the sandbox."""

import asyncio
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from bot.ui.client.session_starts import SessionStarts
from tests.support.parlour import run_parlour
from tests.support.waiting import Gate, wait_until


async def test_a_bot_without_a_session_left_waits_until_it_may_begin_one(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    gate, limit = Gate(), sandbox.gateway.start_limit
    limit.remaining, limit.reset_after_ms = 0, 3_600_000
    make = SessionStarts.__init__

    def make_impatient(starts: SessionStarts, fetch: object) -> None:
        make(starts, fetch, lambda _: gate.wait())  # type: ignore[arg-type]

    monkeypatch.setattr(SessionStarts, "__init__", make_impatient)

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


async def test_a_lost_session_is_not_replaced_before_one_may_be_begun(
    sandbox: Sandbox, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("discord.shard.ExponentialBackoff.delay", lambda _: 0.01)
    limit = sandbox.gateway.start_limit
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as parlour:
        limit.remaining, limit.reset_after_ms = 0, 3_600_000
        connections = sandbox.gateway.hello_count
        sandbox.gateway.invalidate_sessions()
        await wait_until(lambda: sandbox.gateway.hello_count > connections + 3)
        assert sandbox.gateway.identify_count == 1
        limit.remaining = 1000
        await wait_until(lambda: sandbox.gateway.identify_count == 2)
        await sandbox.until(lambda: sandbox.bot_online)
        await parlour.open_table(parlour.robin)
    assert sum("lets the bot begin 0 more sessions" in each for each in caplog.messages) == 1
    caplog.clear()  # discord.py tells of each pause as of an error
