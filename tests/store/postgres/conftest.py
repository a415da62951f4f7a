from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from bot.store.store import SqlStore
from tests.store.postgres.connections import NAME
from tests.store.samples import Connect
from tests.support.postgres import PostgresServer


@pytest.fixture
def address(postgres: PostgresServer) -> str:
    return postgres.empty_database(NAME)


@pytest.fixture
async def store(connect: Connect) -> SqlStore:
    """A store over the database, which has just been created."""
    made = await connect()
    await made.upgrade()
    return made


@pytest.fixture
def other(postgres: PostgresServer, store: SqlStore) -> Iterator[psycopg.Connection[Any]]:  # noqa: ARG001 - its tables
    """Another session on the store's database, where everything is allowed."""
    with postgres.admin(NAME) as connection:
        yield connection


@pytest.fixture
def altered(postgres: PostgresServer, address: str) -> Iterator[Callable[[str], None]]:  # noqa: ARG001 - must exist
    """Changes how the server treats the database; undone after the test."""
    with postgres.admin() as admin:

        def alter(how: str) -> None:
            admin.execute(f"ALTER DATABASE {NAME} {how}")

        yield alter
        alter("RESET ALL")
        alter("CONNECTION LIMIT -1")
