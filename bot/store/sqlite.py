"""Transactions on an SQLite file: one at a time that writes, a few beside it that read."""

import asyncio
import contextlib
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import cycle
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import aiosqlite
from sqlalchemy import Connection, Engine
from sqlalchemy.engine import URL

from bot.store.database import LOCK_SECONDS, MIGRATION_SECONDS, QUEUE_SECONDS, Running
from bot.store.sqlite_file import (
    BEGIN_WRITING,
    Failure,
    Transacted,
    connected,
    driver_of,
    engine_for,
    file_made_ready,
    transact,
    transact_all,
    transact_by_driver,
)
from bot.tables.ports import Meanwhile, StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")

READERS: Final = 3

TOGETHER: Final = 32
"""How many transactions that wait at the same moment share one commit, and so one trip to the disk."""

_LATE: Final = "too many transactions are waiting"


class Trip(aiosqlite.Connection):
    """A connection of aiosqlite, with its thread, that carries whole transactions.

    aiosqlite and SQLAlchemy's adapter for it make a trip to the thread for every call, about ten for a move: that costs
    four times as much, and leaves gaps in which a transaction can be cancelled.
    """

    connection: Connection
    """The connection as SQLAlchemy has it, once it is open; the thread's own."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(self._opened, iter_chunk_size=1)
        self._engine = engine

    def send(self, errand: Callable[[], None]) -> None:
        """Queue a function for the thread; it hands its results back by itself."""
        self._tx.put_nowait((None, errand))

    async def close(self) -> None:
        """Do what was sent before, and close the connection."""
        self.send(self.connection.close)
        await super().close()

    def _opened(self) -> sqlite3.Connection:
        self.connection = connected(self._engine)
        return driver_of(self.connection)


@dataclass(frozen=True, slots=True)
class Waiting:
    """A function that waits for its transaction."""

    work: Callable[[Connection], Any]
    answer: asyncio.Future[Any]
    deadline: float
    by_driver: bool
    """Whether it writes by the driver's own connection alone."""
    meanwhile: Meanwhile | None


class Lane:
    """One connection and the transactions that wait for it; it is opened when the first one comes."""

    def __init__(self, url: URL, *, begin: str, pragmas: tuple[str, ...], together: int) -> None:
        self._engine = engine_for(url, begin=begin, pragmas=pragmas, patience=LOCK_SECONDS)
        self._together = together
        self._trip: Trip | None = None
        self._opening = asyncio.Lock()
        self._running = Running()
        self._waiting: deque[Waiting] = deque()

    async def run(
        self, work: Callable[[Connection], T], *, by_driver: bool = False, meanwhile: Meanwhile | None = None
    ) -> T:
        """Run a function in a transaction, to its end even when the caller is cancelled.

        One that writes by the driver's own connection alone may be spared what SQLAlchemy does for a transaction, and
        something may be done meanwhile.
        """
        answer: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        waiting = Waiting(work, answer, time.monotonic() + QUEUE_SECONDS, by_driver, meanwhile)
        if self._trip is None:
            return await self._running.finish(asyncio.ensure_future(self._first(waiting)))
        self._send(self._trip, waiting)
        return await answer

    async def close(self) -> None:
        """Wait for what is running, and close the connection."""
        await self._running.finish_all()
        if self._trip is not None:
            await self._trip.close()
            self._trip = None
        self._engine.dispose()

    async def _first(self, waiting: Waiting) -> Any:
        async with self._opening:
            if self._trip is None:
                trip = Trip(self._engine)
                await trip
                self._trip = trip
        self._send(self._trip, waiting)
        return await waiting.answer

    def _send(self, trip: Trip, waiting: Waiting) -> None:
        """Send the thread for a function; it runs even if nobody waits for the answer any more."""
        self._waiting.append(waiting)
        trip.send(partial(self._carry, trip.connection))

    def _carry(self, connection: Connection) -> None:
        """Run what waits; called in the thread once for each that waits, though the first may take several along."""
        taken = [self._waiting.popleft() for _ in range(min(self._together, len(self._waiting)))]
        if taken:
            answers = _answers(connection, taken)
            taken[0].answer.get_loop().call_soon_threadsafe(_hand_back, answers)


def _answers(connection: Connection, taken: Sequence[Waiting]) -> list[tuple[asyncio.Future[Any], object]]:
    now = time.monotonic()
    late = [(each.answer, Failure(StoreUnavailable(_LATE))) for each in taken if now > each.deadline]
    in_time = [each for each in taken if now <= each.deadline]
    results = transact_all(connection, [each.work for each in in_time], _way_of(in_time))
    return [*late, *((each.answer, result) for each, result in zip(in_time, results, strict=True))]


def _way_of(works: Sequence[Waiting]) -> Transacted:
    """Choose how works are run in a transaction.

    Only where there is a single one the event loop has nothing better to do while the disk is waited for.
    """
    if not all(each.by_driver for each in works):
        return transact
    if len(works) != 1:
        return transact_by_driver
    return partial(transact_by_driver, settled=partial(_let_be_done, works[0]))


def _let_be_done(work: Waiting) -> None:
    if work.meanwhile is not None:
        # Where the event loop is gone nothing is to be shown any more.
        with contextlib.suppress(RuntimeError):
            work.answer.get_loop().call_soon_threadsafe(work.meanwhile)


def _hand_back(answers: list[tuple[asyncio.Future[Any], object]]) -> None:
    for answer, result in answers:
        if answer.done():
            # Whoever asked was cancelled meanwhile.
            continue
        if isinstance(result, Failure):
            answer.set_exception(result.error)
        else:
            answer.set_result(result)


class SqliteDatabase:
    """An SQLite file as a database."""

    def __init__(self, url: URL) -> None:
        self.url: Final = url
        self._writer: Final = Lane(
            self.url, begin=BEGIN_WRITING, pragmas=("foreign_keys=ON", "synchronous=FULL"), together=TOGETHER
        )
        self._readers: Final = [
            Lane(self.url, begin="BEGIN", pragmas=("query_only=ON",), together=1) for _ in range(READERS)
        ]
        self._next_reader: Final = cycle(self._readers)
        self._closed = False

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that writes; when it returns, its work is on disk."""
        return await self._open(self._writer).run(lambda connection: work(connection, *args, **kwargs))

    async def write_in_one(
        self,
        _one: Callable[[Connection], T],
        several: Callable[[Connection], T],
        meanwhile: Meanwhile | None = None,
        /,
    ) -> T:
        """Run the function of several statements, made by the driver: SQLite has none that writes to two tables."""
        return await self._open(self._writer).run(several, by_driver=True, meanwhile=meanwhile)

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
    engine = engine_for(url, begin=BEGIN_WRITING, pragmas=("synchronous=FULL",), patience=MIGRATION_SECONDS)
    try:
        with connected(engine) as connection:
            return transact(connection, work)
    finally:
        engine.dispose()
