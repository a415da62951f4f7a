"""The whole bot, looked at in the one browser of this run."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from bot.sandbox import Sandbox
from tests.support.parlour import Parlour, connected, in_order


@pytest_asyncio.fixture(loop_scope="session")
async def sandbox() -> AsyncIterator[Sandbox]:
    async with in_order() as running:
        yield running


@pytest_asyncio.fixture(loop_scope="session")
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    async with connected(sandbox, tmp_path / "parlour.sqlite3") as running:
        yield running
