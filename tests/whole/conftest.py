"""The whole bot in a sandbox of its own for every test."""

import logging
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from bot.sandbox import Sandbox
from tests.support.parlour import Parlour, connected


@pytest.fixture
async def sandbox() -> AsyncIterator[Sandbox]:
    running = Sandbox()
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def parlour(sandbox: Sandbox, tmp_path: Path) -> AsyncIterator[Parlour]:
    async with connected(sandbox, tmp_path / "parlour.sqlite3") as running:
        yield running


@pytest.fixture(autouse=True)
def no_errors_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """An error in the log fails a test; one that expects errors clears the log."""
    yield
    records = (*caplog.get_records("setup"), *caplog.get_records("call"))
    errors = [record.getMessage() for record in records if record.levelno >= logging.ERROR]
    assert not errors
