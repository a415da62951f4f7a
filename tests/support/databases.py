"""Databases for tests: empty, or with all tables and no rows, which needs no upgrade."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import pytest

from bot.app.databases import migrate
from bot.platform.database.database import open_database
from tests.support.postgres import PostgresServer


class Databases(Protocol):
    """Creates databases of one kind with different names."""

    def empty(self) -> str:
        """Make a database without tables, and return its address."""

    def migrated(self) -> str:
        """Make a database with all tables and no rows, and return its address."""


class SqliteFiles:
    """Makes files in a folder."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._numbers = count(1)

    def empty(self) -> str:
        """Return the address of a file that does not exist yet."""
        return f"sqlite:///{self._file()}"

    def migrated(self) -> str:
        """Make a file as the migrations leave it."""
        file = self._file()
        create_schema(file)
        return f"sqlite:///{file}"

    def _file(self) -> Path:
        return self._folder / f"parlour-{next(self._numbers)}.db"


class PostgresDatabases:
    """Makes databases of a server, the same ones for every test."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server
        self._numbers = count(1)

    def empty(self) -> str:
        """Make a database as if it were new."""
        return self._server.empty_database(f"parlour_{next(self._numbers)}")

    def migrated(self) -> str:
        """Make a database with all tables and no rows."""
        return self._server.migrated_database(f"cleared_{next(self._numbers)}", upgrade)


def make_databases(request: pytest.FixtureRequest, folder: Path) -> Databases:
    """Return what makes databases of the kind that is the parameter of a fixture: "sqlite" or "postgres"."""
    if request.param == "sqlite":
        return SqliteFiles(folder / "var")
    return PostgresDatabases(request.getfixturevalue("postgres"))


def create_schema(file: Path) -> None:
    """Make a file as the migrations leave it, unless there is one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        file.write_bytes(_migrated_template())


def upgrade(address: str) -> None:
    """Migrate a database to the current schema, outside an event loop."""
    with ThreadPoolExecutor(1) as thread:
        # The caller may be inside an event loop.
        thread.submit(asyncio.run, _upgrade(address)).result()


@cache
def _migrated_template() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "schema.sqlite3"
        upgrade(f"sqlite:///{file}")
        return file.read_bytes()


async def _upgrade(address: str) -> None:
    db = open_database(address)
    await migrate(db)
    # The write-ahead log is folded into the file.
    await db.close()
