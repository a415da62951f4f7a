"""The bot and the number of sessions that it may begin in a day, through the sandbox."""

import asyncio
from pathlib import Path

import pytest

from bot.platform.discord.gateway import SessionStarts
from bot.sandbox import Sandbox
from tests.support.parlour import run_parlour
from tests.support.waiting import Gate

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
