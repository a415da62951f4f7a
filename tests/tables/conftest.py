from collections.abc import Iterator

import pytest

from bot.tables.service import TableService
from tests.support.fake_table_messages import FakeTableMessages
from tests.support.fakes import make_service
from tests.support.memory_database import MemoryDatabase
from tests.support.unclosed_publishers import require_publishers_idle


@pytest.fixture(autouse=True)
def every_host_is_closed() -> Iterator[None]:
    with require_publishers_idle():
        yield


@pytest.fixture
def db() -> MemoryDatabase:
    return MemoryDatabase()


@pytest.fixture
def service(db: MemoryDatabase) -> TableService:
    return make_service(db)


@pytest.fixture
def table_messages() -> FakeTableMessages:
    return FakeTableMessages()
