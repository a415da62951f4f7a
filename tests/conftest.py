"""What holds for every test, and what any may use."""

import gc
import logging
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path

import pytest

from tests.support.postgres import PostgresServer, running_server

NewAddress = Callable[[], str]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="play many more games than fit into a short run")


def pytest_sessionstart() -> None:
    """Thousands of tests are about to be collected, none of them garbage: looking for some takes half of the time."""
    gc.disable()


def pytest_collection_finish() -> None:
    """What is collected stays to the end, so it is never looked through again."""
    gc.freeze()
    gc.enable()


@pytest.fixture
def is_long(request: pytest.FixtureRequest) -> bool:
    """Whether there is time for many more games."""
    return bool(request.config.getoption("--long"))


@pytest.fixture(autouse=True)
def no_errors_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """An error in the log fails a test; one that expects errors clears the log when it has read them."""
    yield
    records = (*caplog.get_records("setup"), *caplog.get_records("call"))
    errors = [record.getMessage() for record in records if record.levelno >= logging.ERROR]
    assert not errors


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    """A PostgreSQL server of this run alone, started when the first test needs it."""
    with running_server() as server:
        yield server


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def new_address(request: pytest.FixtureRequest, tmp_path: Path) -> NewAddress:
    """Gives the address of another empty database at every call; a backend is a parameter."""
    numbers = count(1)

    def file() -> str:
        return f"sqlite:///{tmp_path / 'var' / f'parlour-{next(numbers)}.db'}"

    def database() -> str:
        server: PostgresServer = request.getfixturevalue("postgres")
        return server.empty_database(f"parlour_{next(numbers)}")

    return {"sqlite": file, "postgres": database}[request.param]


@pytest.fixture
def address(new_address: NewAddress) -> str:
    """The address of an empty database."""
    return new_address()
