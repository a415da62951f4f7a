"""The whole bot in a sandbox of its own for every test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.support.described import breaches
from tests.support.parlour import Parlour, connected
from tests.support.patience import DEADLINE_SECONDS


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    running = Sandbox(deadline=DEADLINE_SECONDS)
    await running.start()
    yield running
    await running.stop()
    assert not (found := breaches(running.requests, of_the_bot=True)), "\n".join(found)


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    async with connected(sandbox, tmp_path / "parlour.sqlite3") as running:
        yield running
