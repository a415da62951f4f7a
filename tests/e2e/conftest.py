"""The whole bot in a sandbox of its own for every test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.support.parlour import Parlour, connected, in_order


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with in_order() as running:
        yield running


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    async with connected(sandbox, tmp_path / "parlour.sqlite3") as running:
        yield running
