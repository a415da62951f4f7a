"""Transactions on an SQLite file: one at a time that writes, a few beside it that read."""

import asyncio
import time
from collections.abc import Callable
from functools import partial
from itertools import cycle
from typing import Concatenate, Final, ParamSpec, TypeVar, cast

import aiosqlite
from sqlalchemy import Connection, Engine
from sqlalchemy.engine import URL

from bot.store.database import LOCK_SECONDS, MIGRATION_SECONDS, QUEUE_SECONDS, Running
from bot.store.sqlite_file import connection_of, engine_for, file_made_ready, transact
from bot.tables.ports import StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")

READERS: Final = 3


class Trip(aiosqlite.Connection):
    """A connection of aiosqlite, with its thread, that carries whole transactions.

    aiosqlite and SQLAlchemy's adapter for it make a trip to the thread for every call, about ten for a move: that costs
    four times as much, and leaves gaps in which a transaction can be cancelled.
    """

    def __init__(self, engine: Engine) -> None:
        super().__init__(partial(connection_of, engine), iter_chunk_size=1)

    async def make(self, work: Callable[[], T]) -> T:
        """Run a function in the connection's thread."""
        # aiosqlite leaves the types of its inner methods open.
        return cast("T", await self._execute(work))  # type: ignore[no-untyped-call]


class Lane:
    """One connection and the transactions that wait for it; it is opened when the first one comes."""

    def __init__(self, url: URL, *, begin: str, pragmas: tuple[str, ...]) -> None:
        self._engine = engine_for(url, begin=begin, pragmas=pragmas, patience=LOCK_SECONDS)
        self._trip: Trip | None = None
        self._opening = asyncio.Lock()
        self._running = Running()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run a function in a transaction, to its end even when the caller is cancelled meanwhile."""
        deadline = time.monotonic() + QUEUE_SECONDS
        return await self._running.finish(asyncio.ensure_future(self._run(partial(self._transact, deadline, work))))

    async def close(self) -> None:
        """Wait for what is running, and close the connection."""
        await self._running.finish_all()
        if self._trip is not None:
            await self._trip.close()
            self._trip = None
        self._engine.dispose()

    async def _run(self, work: Callable[[], T]) -> T:
        async with self._opening:
            if self._trip is None:
                trip = Trip(self._engine)
                await trip
                self._trip = trip
        return await self._trip.make(work)

    def _transact(self, deadline: float, work: Callable[[Connection], T]) -> T:
        if time.monotonic() > deadline:
            raise StoreUnavailable("too many transactions are waiting")
        return transact(self._engine, work)


class SqliteDatabase:
    """An SQLite file as a database."""

    def __init__(self, url: URL) -> None:
        self.url: Final = url
        self._writer: Final = Lane(self.url, begin="BEGIN IMMEDIATE", pragmas=("foreign_keys=ON", "synchronous=FULL"))
        self._readers: Final = [Lane(self.url, begin="BEGIN", pragmas=("query_only=ON",)) for _ in range(READERS)]
        self._next_reader: Final = cycle(self._readers)
        self._closed = False

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that writes; when it returns, its work is on disk."""
        return await self._open(self._writer).run(lambda connection: work(connection, *args, **kwargs))

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that sees one state of the database and changes nothing."""
        return await self._open(next(self._next_reader)).run(lambda connection: work(connection, *args, **kwargs))

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

    def _open(self, lane: Lane) -> Lane:
        if self._closed:
            raise StoreUnavailable("the store is closed")
        return lane


def _migrate(url: URL, work: Callable[[Connection], T]) -> T:
    file_made_ready(url, MIGRATION_SECONDS)
    # Foreign keys stay off: SQLite changes a table by putting another in its place.
    engine = engine_for(url, begin="BEGIN IMMEDIATE", pragmas=("synchronous=FULL",), patience=MIGRATION_SECONDS)
    try:
        return transact(engine, work)
    finally:
        engine.dispose()
