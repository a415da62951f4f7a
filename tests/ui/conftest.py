from collections.abc import AsyncIterator, Iterator

import pytest

from bot.tables.registry import GameRegistry
from tests.support.fakes import GAMES, FakeStore, FakeTableMessages
from tests.support.unclosed_publishers import require_publishers_idle
from tests.ui.adapter import Adapter


@pytest.fixture(autouse=True)
def every_host_is_closed() -> Iterator[None]:
    with require_publishers_idle():
        yield


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


@pytest.fixture
def shown() -> FakeTableMessages:
    return FakeTableMessages()


@pytest.fixture
def games() -> GameRegistry:
    """What is hosted: tests that need more name other games."""
    return GAMES


@pytest.fixture
async def adapter(store: FakeStore, shown: FakeTableMessages, games: GameRegistry) -> AsyncIterator[Adapter]:
    made = Adapter(store, shown, games)
    yield made
    store.broken = set()
    await made.host.close()
