from collections.abc import Iterator

import pytest

from bot.tables.service import TableService
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
