import pytest

from bot.tables.service import TableService
from tests.support.fakes import FakeBoard, FakeStore, a_service


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


@pytest.fixture
def service(store: FakeStore) -> TableService:
    return a_service(store)


@pytest.fixture
def board() -> FakeBoard:
    return FakeBoard()
