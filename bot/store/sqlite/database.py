"""Transactions on an SQLite file: one at a time that writes, a few beside it that read."""

import asyncio
from collections.abc import Callable
from itertools import cycle
from typing import Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import URL

from bot.store.database import MIGRATION_ANSWER_SECONDS, MIGRATION_SECONDS
from bot.store.outage import Outage, Work
from bot.store.sqlite.connection import (
    BEGIN_WRITING,
    connected,
    engine_for,
    file_made_ready,
    interrupted_after,
    transact,
)
from bot.store.sqlite.connection_queue import Lane
from bot.tables.ports import Meanwhile, StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")

READERS: Final = 3

TOGETHER: Final = 32
"""How many transactions that wait at the same moment share one commit, and so one trip to the disk."""


class SqliteDatabase:
    """An SQLite file as a database."""

    def __init__(self, url: URL) -> None:
        self.url: Final = url
        self._writer: Final = Lane(
            self.url,
            begin=BEGIN_WRITING,
            pragmas=("foreign_keys=ON", "synchronous=FULL"),
            together=TOGETHER,
            is_writing=True,
        )
        self._readers: Final = [
            Lane(self.url, begin="BEGIN", pragmas=("query_only=ON",), together=1, is_writing=False)
            for _ in range(READERS)
        ]
        self._next_reader: Final = cycle(self._readers)
        self._outage = Outage()
        self._closed = False

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that writes; when it returns, its work is on disk."""
        writer = self._open(self._writer)
        with self._outage.noting(Work.WRITE):
            return await writer.run(lambda connection: work(connection, *args, **kwargs))

    async def write_in_one(
        self,
        _one: Callable[[Connection], T],
        several: Callable[[Connection], T],
        meanwhile: Meanwhile | None = None,
        /,
    ) -> T:
        """Run the function of several statements, made by the driver: SQLite has none that writes to two tables."""
        writer = self._open(self._writer)
        with self._outage.noting(Work.WRITE):
            return await writer.run(several, by_driver=True, meanwhile=meanwhile)

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that sees one state of the database and changes nothing."""
        reader = self._open(next(self._next_reader))
        with self._outage.noting(Work.READ):
            return await reader.run(lambda connection: work(connection, *args, **kwargs))

    async def migrate(self, work: Callable[[Connection], T]) -> T:
        """Make the file if there is none, and run a function that changes it as a whole, in one transaction."""
        self._open(self._writer)
        return await asyncio.shield(asyncio.to_thread(_migrate, self.url, work))

    async def close(self) -> None:
        """Finish what is running and let the file go; harmless when done twice."""
        self._closed = True
        # The writer goes last: whoever does folds the write-ahead log into the file.
        for lane in (*self._readers, self._writer):
            await lane.close()
        self._outage.close()

    def _open(self, lane: Lane) -> Lane:
        if self._closed:
            raise StoreUnavailable("the store is closed")
        return lane


def _migrate(url: URL, work: Callable[[Connection], T]) -> T:
    file_made_ready(url, MIGRATION_SECONDS)
    # Foreign keys stay off: SQLite changes a table by putting another in its place.
    engine = engine_for(url, begin=BEGIN_WRITING, pragmas=("synchronous=FULL",), patience=MIGRATION_SECONDS)
    try:
        with connected(engine) as connection:
            interrupted_after(connection, MIGRATION_ANSWER_SECONDS)
            return transact(connection, work)
    finally:
        engine.dispose()
