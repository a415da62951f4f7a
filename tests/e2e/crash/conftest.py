from collections.abc import AsyncIterator

import pytest

from bot.sandbox import Sandbox


@pytest.fixture
async def busy() -> AsyncIterator[Sandbox]:
    """A sandbox for a crowd, without the checks of requests that other tests make."""
    running = Sandbox()
    await running.start()
    yield running
    await running.stop()
