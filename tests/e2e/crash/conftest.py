from collections.abc import AsyncIterator

import pytest

from bot.sandbox import Sandbox


@pytest.fixture
async def busy() -> AsyncIterator[Sandbox]:
    """A sandbox for a crowd: what it and the bot say to each other is checked elsewhere."""
    running = Sandbox()
    await running.start()
    yield running
    await running.stop()
