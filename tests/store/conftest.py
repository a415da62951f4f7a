from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from itertools import count
from pathlib import Path

import pytest

from bot.store.store import SqlStore
from tests.support.postgres import PostgresServer

Connect = Callable[[], Awaitable[SqlStore]]
NewAddress = Callable[[], str]


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


@pytest.fixture
async def connect(address: str) -> AsyncIterator[Connect]:
    """Stores over one database, each with connections of its own."""
    async with AsyncExitStack() as stores:

        async def connect() -> SqlStore:
            store = SqlStore(address)
            stores.push_async_callback(store.close)
            await store.upgrade()
            return store

        yield connect


@pytest.fixture
async def store(connect: Connect) -> SqlStore:
    return await connect()
