from collections.abc import AsyncIterator

import pytest

from bot.sandbox import Sandbox
from tests.support.timeouts import DEADLINE_SECONDS


@pytest.fixture
async def busy() -> AsyncIterator[Sandbox]:
    """A sandbox for a crowd, without the checks of requests that other tests make."""
    running = Sandbox()
    await running.start()
    yield running
    await running.stop()


@pytest.fixture
async def patient() -> AsyncIterator[Sandbox]:
    """The same, with people who wait for late answers."""
    running = Sandbox(deadline=DEADLINE_SECONDS)
    await running.start()
    yield running
    await running.stop()
