from collections.abc import AsyncIterator

import pytest

from tests.support.fakes import FakeBoard, FakeStore
from tests.ui.adapter import Adapter


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
