import logging
from collections.abc import AsyncIterator, Iterator

import pytest

from tests.support.fakes import FakeBoard, FakeStore
from tests.ui.adapter import Adapter


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
def shown() -> FakeBoard:
    return FakeBoard()


@pytest.fixture
async def adapter(store: FakeStore, shown: FakeBoard) -> AsyncIterator[Adapter]:
    made = Adapter(store, shown)
    yield made
    store.broken = set()
    await made.host.close()
