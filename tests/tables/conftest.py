from collections.abc import AsyncIterator, Iterator

import pytest

from bot.tables.runtime.publisher import Publisher
from bot.tables.runtime.service import TableService
from tests.support.fakes import FakeBoard, FakeStore, a_service
from tests.support.leftovers import nothing_left_to_show


@pytest.fixture(autouse=True)
def every_host_is_closed() -> Iterator[None]:
    with nothing_left_to_show():
        yield


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


@pytest.fixture
def service(store: FakeStore) -> TableService:
    return a_service(store)


@pytest.fixture
def board() -> FakeBoard:
    return FakeBoard()


@pytest.fixture
async def publisher(service: TableService, board: FakeBoard) -> AsyncIterator[Publisher]:
    made = Publisher(service, board)
    service.listen(lambda table: made.wake(table.id))
    yield made
    await made.close()
