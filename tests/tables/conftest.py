import logging
from collections.abc import Iterator

import pytest

from bot.tables.service import TableService
from tests.support.fakes import FakeBoard, FakeStore, a_service


@pytest.fixture(autouse=True)
def no_errors_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """An error in the log fails a test; one that expects errors clears the log when it has read them."""
    yield
    records = (*caplog.get_records("setup"), *caplog.get_records("call"))
    errors = [record for record in records if record.levelno >= logging.ERROR]
    assert not errors, [record.getMessage() for record in errors]


@pytest.fixture
def store() -> FakeStore:
    return FakeStore()


@pytest.fixture
def service(store: FakeStore) -> TableService:
    return a_service(store)


@pytest.fixture
def board() -> FakeBoard:
    return FakeBoard()
