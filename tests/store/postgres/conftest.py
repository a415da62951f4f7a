from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from bot.platform.database.database import Database
from tests.store.postgres.connections import NAME
from tests.support.databases import upgrade
from tests.support.postgres import PostgresServer


@pytest.fixture
def address(postgres: PostgresServer) -> str:
    """The address of a database with all tables and no rows."""
    return postgres.migrated_database(NAME, upgrade)


@pytest.fixture
def empty_address(postgres: PostgresServer) -> str:
    """The same address, of a database without tables."""
    return postgres.empty_database(NAME)


@pytest.fixture
def schema_is_spoilt(postgres: PostgresServer) -> Iterator[None]:
    """Let the next test have another schema than this one leaves."""
    yield
    postgres.empty_database(NAME)


@pytest.fixture
def other(postgres: PostgresServer, db: Database) -> Iterator[psycopg.Connection[Any]]:  # noqa: ARG001 - its tables
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
