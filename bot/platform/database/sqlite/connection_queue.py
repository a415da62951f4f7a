"""A connection to an SQLite file, with a queue of transactions."""

import asyncio
import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import aiosqlite
from sqlalchemy import Connection, Engine

from bot.platform.database.database import (
    CLOSE_SECONDS,
    QUEUE_SECONDS,
    STATEMENT_SECONDS,
    TOO_MANY_WAITING,
    TRANSACTION_SECONDS,
)
from bot.platform.database.errors import OutcomeUnknown, StoreUnavailable
from bot.platform.database.sqlite.connection import (
    RUN_FUNCTION,
    DriverConnection,
    Failure,
    connect,
    driver_connection_of,
    transact_batch,
)

T = TypeVar("T")

_NO_ANSWER: Final = "the disk does not answer"


@dataclass(frozen=True, slots=True, eq=False)
class Job:
    """A function to run in a transaction."""

    work: Callable[[Connection], Any]
    future: asyncio.Future[Any]
    expiry: asyncio.TimerHandle
    """Fails it, unless it is taken from the queue in time."""


@dataclass(frozen=True, slots=True)
class OpenConnection:
    """An open connection."""

    worker: aiosqlite.Connection
    connection: Connection
    """SQLAlchemy's view of the connection; to be used in the worker's thread only."""


class ConnectionQueue:
    """Runs transactions on one connection, in aiosqlite's thread; it is opened for the first one."""

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
        """Run a function in a transaction, which continues even if the caller is cancelled."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        # Not cancelled with the caller: its job stays in the queue.
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
        # A timer holds what the job has saved for as long as it runs.
        job.expiry.cancel()
        return job

    async def _run_jobs(self) -> None:
        """Run jobs until the queue is empty. Only one such task exists, so the thread has one call at a time."""
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
                # aiosqlite would not wait for the end of its thread, which may outlive the event loop and fail then.
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
            # This interrupts a statement and so its transaction, but not a commit.
            loop.call_later(STATEMENT_SECONDS, driver_connection_of(opened.connection).interrupt),
            # The connection stays blocked until the disk answers, but the callers need not wait for that.
            loop.call_later(TRANSACTION_SECONDS, self._give_up_on, batch),
        )
        try:
            await opened.worker.execute(RUN_FUNCTION, [run])
        finally:
            for timer in timers:
                timer.cancel()
        _resolve_all(batch, results)

    def _give_up_on(self, batch: Sequence[Job]) -> None:
        """Fail the jobs of a transaction that takes too long."""
        _resolve_all(batch, [Failure(self._timeout_error(_NO_ANSWER))] * len(batch))


def _resolve_all(batch: Sequence[Job], results: Sequence[object]) -> None:
    for job, result in zip(batch, results, strict=True):
        _resolve(job, result)


def _resolve(job: Job, result: object) -> None:
    if job.future.done():
        # The caller was cancelled, or the job has timed out.
        return
    if isinstance(result, Failure):
        job.future.set_exception(result.error)
    else:
        job.future.set_result(result)
