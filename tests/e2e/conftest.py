"""The whole bot in a new sandbox for every test."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.support.parlour import Parlour, run_parlour, run_sandbox
from tests.support.processes import QUICK_START


@pytest.fixture
def frequent_checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot look for what is due, and show what is late, without a pause of seconds."""
    for name in ("ROUND_SECONDS", "LOOK_SECONDS"):
        monkeypatch.setattr(f"bot.platform.jobs.looks.{name}", 0.05)


@pytest.fixture
def soon_ready(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the bot be ready soon after it has connected: the sandbox tells of all servers at once."""
    for name, value in QUICK_START.items():
        monkeypatch.setattr(name, value)


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    async with run_sandbox() as running:
        yield running


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    async with run_parlour(sandbox, tmp_path / "parlour.sqlite3") as running:
        yield running
