from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support.fakes import FakeBoard, FakeStore
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
async def adapter(store: FakeStore, shown: FakeBoard) -> AsyncIterator[Adapter]:
    made = Adapter(store, shown)
    yield made
    store.broken = set()
    await made.host.close()
