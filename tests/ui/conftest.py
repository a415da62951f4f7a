from collections.abc import AsyncIterator, Iterator

import pytest

from bot.tables.registry import Registry
from tests.support.fakes import GAMES, FakeBoard, FakeStore
from tests.support.leftovers import nothing_left_to_show
from tests.ui.adapter import Adapter


@pytest.fixture(autouse=True)
def every_host_is_closed() -> Iterator[None]:
    with nothing_left_to_show():
        yield


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


@pytest.fixture
def shown() -> FakeBoard:
    return FakeBoard()


@pytest.fixture
def games() -> Registry:
    """What is hosted: tests that need more name other games."""
    return GAMES


@pytest.fixture
async def adapter(store: FakeStore, shown: FakeBoard, games: Registry) -> AsyncIterator[Adapter]:
    made = Adapter(store, shown, games)
    yield made
    store.broken = set()
    await made.host.close()
