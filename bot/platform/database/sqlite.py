"""SQLite connections: engine, transactions, file set-up and translation of errors."""

import asyncio
import contextlib
import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import aiosqlite
from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from bot.platform.database.address import file_of, follow_links
from bot.platform.database.database import (
    CLOSE_SECONDS,
    LOCK_SECONDS,
    MIGRATION_LOCK_SECONDS,
    MIGRATION_TIMEOUT_SECONDS,
    PROGRAMMING_ERRORS,
    QUEUE_SECONDS,
    STATEMENT_SECONDS,
    TOO_MANY_WAITING,
    TRANSACTION_SECONDS,
    Database,
)
from bot.platform.database.errors import OperationKind, OutcomeUnknown, StoreUnavailable, explain, sqlite_code
from bot.platform.observability.metrics import DatabaseUsage, Metrics

T = TypeVar("T")

RUN_FUNCTION: Final = "-- run a function in the connection's thread"
"""The statement that makes `DriverConnection` call a function, its only parameter."""

BEGIN_READING: Final = "BEGIN"
BEGIN_WRITING: Final = "BEGIN IMMEDIATE"
"""Takes the write lock at once, so that another writer can't make the transaction fail halfway."""

READER_PRAGMAS: Final = ("query_only=ON",)

_RETRY_SECONDS: Final = 0.02
_PROGRESS_STEPS: Final = 100_000
"""The number of instructions of SQLite's virtual machine between two checks of the clock."""


class DatabaseMissing(StoreUnavailable):
    """The file is missing, and only a migration creates it."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"there is no file {file}",
            "Check the path in DATABASE_URL. The bot makes a new database when it starts, and so does "
            "`python -m bot database upgrade`.",
        )


class DriverConnection(sqlite3.Connection):
    """The driver's connection, extended to run functions.

    aiosqlite switches to the connection's thread for each call, about ten times for a move. Passing a function to
    `execute` runs a whole transaction there in a single call. sqlite3's parameter `factory` sets the class.
    """

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement, or call a function: `execute(RUN_FUNCTION, [function])`."""
        if sql is RUN_FUNCTION:
            (function,) = parameters
            # Create the cursor first, because the function may close the connection.
            cursor = self.cursor()
            function()
            return cursor
        return super().execute(sql, parameters)


def make_engine(url: URL, *, begin: str, pragmas: tuple[str, ...], lock_seconds: float) -> Engine:
    """Return an engine for `transact`, without a pool.

    Args:
        url: The file.
        begin: The statement that begins a transaction.
        pragmas: The pragmas to set on connecting.
        lock_seconds: Seconds to wait for another process's lock.
    """
    engine = create_engine(
        url,
        poolclass=NullPool,
        # Parameters include names and secret seeds, which must not be logged.
        hide_parameters=True,
        # `begin_transaction` begins transactions, because the driver would do so late and deferred.
        connect_args={
            "isolation_level": None,
            "timeout": lock_seconds,
            "check_same_thread": False,
            "factory": DriverConnection,
        },
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def connect(engine: Engine) -> Connection:
    """Open a connection for `transact`.

    Raises:
        DatabaseMissing: The file is missing but can be created; SQLite would create an empty one.
        StoreUnavailable: The file is missing and can't be created.
    """
    file = file_of(engine.url)
    with _translate_errors():
        if file.exists():
            return engine.connect()
        # Creating the file also creates missing folders.
        folder = next(parent for parent in follow_links(file).parents if parent.exists())
        if not folder.is_dir():
            raise NotADirectoryError(f"{folder} is a file, not a folder")
        if not os.access(folder, os.W_OK | os.X_OK):
            raise PermissionError(f"there is no file {file}, and the bot may not make one in {folder}")
        raise DatabaseMissing(file)


def driver_connection_of(connection: Connection) -> DriverConnection:
    """Return the driver's connection."""
    return cast("DriverConnection", connection.connection.driver_connection)


def interrupt_after(connection: Connection, seconds: float) -> None:
    """Interrupt statements that are still running after some seconds."""
    deadline = time.monotonic() + seconds
    driver_connection_of(connection).set_progress_handler(lambda: time.monotonic() > deadline, _PROGRESS_STEPS)


def transact(connection: Connection, work: Callable[[Connection], T]) -> T:
    """Run a function in a transaction; commit if it returns, roll back if it raises."""
    with _translate_errors():
        transaction = connection.begin()
        try:
            done = work(connection)
            try:
                transaction.commit()
            except OperationalError as error:
                if error.orig is not None and sqlite_code(error.orig) == sqlite3.SQLITE_IOERR:
                    # Part of the commit may be on disk.
                    raise OutcomeUnknown(str(error)) from error
                raise
        except BaseException:
            transaction.rollback()
            # A commit refused by SQLite leaves SQLite's transaction open, but ends SQLAlchemy's.
            driver_connection_of(connection).rollback()
            raise
        return done


@dataclass(frozen=True, slots=True)
class Failure:
    """The error of a function whose changes were rolled back."""

    error: BaseException


def transact_batch(connection: Connection, works: Sequence[Callable[[Connection], object]]) -> Sequence[object]:
    """Run functions in one transaction and return their results or Failures.

    If a function raises, run each one again in its own transaction, unless the database does not work.
    """
    done = _try_transaction(connection, lambda _: [work(connection) for work in works])
    if not isinstance(done, Failure):
        return done
    if len(works) == 1 or isinstance(done.error, StoreUnavailable):
        return [done] * len(works)
    return [_try_transaction(connection, work) for work in works]


def _try_transaction(connection: Connection, work: Callable[[Connection], T]) -> T | Failure:
    try:
        return transact(connection, work)
    except BaseException as error:  # noqa: BLE001 - the waiting job raises it
        return Failure(error)


def prepare_file(url: URL, lock_seconds: float) -> None:
    """Create the file and its folder if they are missing, and enable the write-ahead log."""
    engine = make_engine(url, begin=BEGIN_WRITING, pragmas=(), lock_seconds=lock_seconds)
    with _translate_errors():
        file = follow_links(file_of(url))
        file.parent.mkdir(parents=True, exist_ok=True)
        if not file.exists():
            # Only the owner may read the secret seeds in the file. SQLite gives side files the same mode.
            file.touch(mode=0o600)
        try:
            mode = enable_wal(engine, time.monotonic() + lock_seconds)
        finally:
            engine.dispose()
    if mode != "wal":
        raise StoreUnavailable("the file must be on a local disk: SQLite can't keep a write-ahead log where it is")


def enable_wal(engine: Engine, deadline: float) -> str:
    """Enable the write-ahead log; retry, because SQLite does not wait while another process does the same."""
    while True:
        try:
            with closing(engine.raw_connection()) as connection:
                return str(connection.execute("PRAGMA journal_mode=WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            if sqlite_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Translate errors of the database, but no faults in the code, into StoreUnavailable."""
    try:
        yield
    except PROGRAMMING_ERRORS:
        raise
    except DBAPIError as error:
        # A full disk or an interrupt ends a transaction with its savepoints, so rolling back to one fails, too. The
        # driver's first error is the cause.
        first: BaseException = error
        while first.__context__ is not None:
            first = first.__context__
        raise explain(str(first), first) from error
    except (OSError, sqlite3.DatabaseError) as error:
        raise explain(str(error), error) from error


_NO_ANSWER: Final = "the disk does not answer"


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A function to run in a transaction."""

    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    expiry: asyncio.TimerHandle
    """Fails the job unless it leaves the queue in time."""


@dataclass(frozen=True, slots=True)
class OpenConnection:
    """An open connection."""

    worker: aiosqlite.Connection
    connection: Connection
    """SQLAlchemy's view of the connection, for use in the worker's thread only."""


class ConnectionQueue:
    """Runs transactions on one connection, in aiosqlite's thread; the first transaction opens it."""

    def __init__(self, engine: Engine, *, batch_size: int, is_writing: bool) -> None:
        self._engine = engine
        self._batch_size = batch_size
        self._timeout_error: type[StoreUnavailable] = OutcomeUnknown if is_writing else StoreUnavailable
        self._open_connection: OpenConnection | None = None
        self._jobs: deque[Job] = deque()
        self._runner: asyncio.Task[None] | None = None

    @property
    def is_busy(self) -> bool:
        """Whether a transaction is running."""
        return self._runner is not None

    @property
    def waiting(self) -> int:
        """How many transactions wait for the connection."""
        return len(self._jobs)

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Run a function in a transaction, to its end even if the caller is cancelled."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        # The timer must outlive a cancelled caller, whose job stays in the queue.
        expiry = loop.call_later(QUEUE_SECONDS, self._expire_job, future)
        self._jobs.append(Job(work, future, expiry))
        if self._runner is None:
            self._runner = asyncio.create_task(self._run_jobs(), name="sqlite")
        return await future

    async def close(self) -> None:
        """Wait some seconds for running transactions, then close the connection."""
        if self._runner is not None:
            await asyncio.wait([self._runner], timeout=CLOSE_SECONDS)
        if self._runner is None and self._open_connection is not None:
            opened, self._open_connection = self._open_connection, None
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(CLOSE_SECONDS):
                    await opened.worker.execute(RUN_FUNCTION, [opened.connection.close])
                    await opened.worker.close()

    def _expire_job(self, future: asyncio.Future[Any]) -> None:
        """Fail a job that has waited too long for the connection."""
        job = next(job for job in self._jobs if job.future is future)
        self._jobs.remove(job)
        _resolve(job, Failure(StoreUnavailable(TOO_MANY_WAITING)))

    def _take_job(self) -> Job:
        """Take the oldest job from the queue."""
        job = self._jobs.popleft()
        # A running timer would keep the job's data in memory.
        job.expiry.cancel()
        return job

    async def _run_jobs(self) -> None:
        """Run jobs until the queue is empty. Only one such task exists, so the thread gets one call at a time."""
        try:
            while self._jobs:
                if self._open_connection is None:
                    await self._connect()
                else:
                    batch = [self._take_job() for _ in range(min(self._batch_size, len(self._jobs)))]
                    await self._run_batch(self._open_connection, batch)
        finally:
            self._runner = None

    async def _connect(self) -> None:
        """Open the connection; if that fails, fail all waiting jobs."""
        made: list[Connection | Exception] = []

        def make() -> DriverConnection:
            try:
                made.append(opened := connect(self._engine))
                return driver_connection_of(opened)
            except Exception as fault:  # noqa: BLE001 - the jobs raise it
                made.append(fault)
                # After an error, aiosqlite would not wait for its thread, which may outlive the event loop and fail.
                return DriverConnection(":memory:")

        thread = await aiosqlite.Connection(make, iter_chunk_size=1)
        if isinstance(made[-1], Exception):
            await thread.close()
            while self._jobs:
                _resolve(self._take_job(), Failure(made[-1]))
        else:
            self._open_connection = OpenConnection(thread, made[-1])

    async def _run_batch(self, opened: OpenConnection, batch: Sequence[Job]) -> None:
        results: list[object] = []

        def run() -> None:
            results.extend(transact_batch(opened.connection, [job.work for job in batch]))

        loop = asyncio.get_running_loop()
        timers = (
            # Interrupts a statement and so its transaction, but no commit.
            loop.call_later(STATEMENT_SECONDS, driver_connection_of(opened.connection).interrupt),
            # The connection stays busy until the disk answers, but callers need not wait for it.
            loop.call_later(
                TRANSACTION_SECONDS, _resolve_all, batch, [Failure(self._timeout_error(_NO_ANSWER))] * len(batch)
            ),
        )
        try:
            await opened.worker.execute(RUN_FUNCTION, [run])
        finally:
            for timer in timers:
                timer.cancel()
        _resolve_all(batch, results)


def _resolve_all(batch: Sequence[Job], results: Sequence[object]) -> None:
    for job, result in zip(batch, results, strict=True):
        _resolve(job, result)


def _resolve(job: Job, result: object) -> None:
    if job.future.done():
        # The caller was cancelled or the job has timed out.
        return
    if isinstance(result, Failure):
        job.future.set_exception(result.error)
    else:
        job.future.set_result(result)


READER_COUNT: Final = 3

BATCH_SIZE: Final = 32
"""The most waiting writes that share one commit, and so one disk flush."""

_WRITER_PRAGMAS: Final = ("foreign_keys=ON", "synchronous=FULL", "secure_delete=ON")


class SqliteDatabase(Database):
    """SQLite: one writer and a few concurrent readers."""

    def __init__(self, url: URL, metrics: Metrics | None = None) -> None:
        super().__init__(url, metrics)
        writing = make_engine(url, begin=BEGIN_WRITING, pragmas=_WRITER_PRAGMAS, lock_seconds=LOCK_SECONDS)
        reading = make_engine(url, begin=BEGIN_READING, pragmas=READER_PRAGMAS, lock_seconds=LOCK_SECONDS)
        self._writer: Final = ConnectionQueue(writing, batch_size=BATCH_SIZE, is_writing=True)
        self._readers: Final = [ConnectionQueue(reading, batch_size=1, is_writing=False) for _ in range(READER_COUNT)]
        self._next_reader: Final = cycle(self._readers)

    async def run_exclusively(self, work: Callable[[Connection], T]) -> T:
        """Create a missing file, and run a function in one transaction; it may take minutes."""
        self._require_open()
        return await asyncio.shield(asyncio.to_thread(_run_exclusively, self.url, work))

    def usage(self) -> DatabaseUsage:
        """Return how busy the connections are."""
        queues = (self._writer, *self._readers)
        return DatabaseUsage(sum(each.is_busy for each in queues), sum(each.waiting for each in queues))

    async def close(self) -> None:
        """Finish running transactions and close the file. Closing twice is harmless."""
        self._closed = True
        # Close the writer last, because the last connection merges the write-ahead log into the file.
        for queue in (*self._readers, self._writer):
            await queue.close()
        self._outage.close()

    async def _run(self, kind: OperationKind, work: Callable[[Connection], T], *, is_statement: bool = False) -> T:
        """Run a function in a transaction; writes waiting at the same time share one commit."""
        self._require_open()
        queue = self._writer if kind is OperationKind.WRITE else next(self._next_reader)
        return await queue.run(work)


def _run_exclusively(url: URL, work: Callable[[Connection], T]) -> T:
    prepare_file(url, MIGRATION_LOCK_SECONDS)
    # Foreign keys stay off, because migrations replace tables to alter them.
    engine = make_engine(url, begin=BEGIN_WRITING, pragmas=("synchronous=FULL",), lock_seconds=MIGRATION_LOCK_SECONDS)
    try:
        with connect(engine) as connection:
            interrupt_after(connection, MIGRATION_TIMEOUT_SECONDS)
            return transact(connection, work)
    finally:
        engine.dispose()
