"""The PostgreSQL backend: moves from the event loop, other transactions in threads with a connection each."""

import asyncio
import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import psycopg
from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.engine import URL

from bot.platform.database.database import (
    CLOSE_SECONDS,
    LOCK_SECONDS,
    MIGRATION_LOCK_SECONDS,
    MIGRATION_TIMEOUT_SECONDS,
    QUEUE_SECONDS,
    STATEMENT_SECONDS,
    TOO_MANY_WAITING,
    TRANSACTION_SECONDS,
    RunningTransactions,
)
from bot.platform.database.outage import OperationKind, OutageLog
from bot.platform.database.postgres.atomic_move import Move, save_each
from bot.platform.database.postgres.connection import (
    check_out,
    driver_of,
    make_autocommit_engine,
    open_transactions,
    transact,
    translate_errors,
)
from bot.platform.database.postgres.engine_sockets import EngineSockets
from bot.platform.database.postgres.move_connection import NO_ANSWER, MoveConnection, Outcome
from bot.platform.database.postgres.move_queue import LANES, MoveQueue
from bot.platform.observability.collectors import DatabaseUsage
from bot.tables.model import Entry, Header
from bot.tables.ports import OutcomeUnknown, StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")

POOL_SIZE: Final = 8
"""Concurrent commits share one disk flush; a server admits about a hundred connections in all."""

THREADS: Final = POOL_SIZE - LANES
"""A connection for each; the moves have the others."""

MIGRATION_LOCK_ID: Final = 7_265_108_559
"""The key of the advisory lock held by a migrating process: a random number that must never change."""

_CLOSED: Final = "the store is closed"


class PostgresDatabase:
    """The PostgreSQL backend of `Database`."""

    def __init__(self, url: URL) -> None:
        self.url: Final = url
        self.autocommit_engine = make_autocommit_engine(
            url, connections=POOL_SIZE, lock_seconds=LOCK_SECONDS, statement_seconds=STATEMENT_SECONDS
        )
        self.write_engine = open_transactions(self.autocommit_engine)
        # All queries of a read transaction see the same snapshot.
        self._read_engine = open_transactions(self.autocommit_engine, level="REPEATABLE READ", postgresql_readonly=True)
        self._sockets = EngineSockets(self.autocommit_engine)
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="postgres")
        self._transactions = RunningTransactions()
        self._in_threads: set[asyncio.Future[Any]] = set()
        """The transactions that run, or wait for a thread."""
        self._outage = OutageLog()
        self._moves = MoveQueue(self._connect_lane, self._save_each)
        self._closed = False

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a write transaction. When this returns, the transaction is on disk."""
        transaction = partial(transact, self.write_engine, lambda connection: work(connection, *args, **kwargs))
        return await self._run(OperationKind.WRITE, transaction)

    async def save_move(self, header: Header, entry: Entry) -> None:
        """Save a move in one round trip to the server, which those that wait together share."""
        self._require_open()
        with self._outage.track(OperationKind.WRITE):
            await self._moves.save(Move(header, entry))

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a read-only transaction that sees a single snapshot."""
        transaction = partial(transact, self._read_engine, lambda connection: work(connection, *args, **kwargs))
        try:
            return await self._run(OperationKind.READ, transaction)
        except OutcomeUnknown as fault:
            # A read has no effect, so its outcome does not matter.
            raise StoreUnavailable(str(fault)) from fault

    async def run_exclusively(self, work: Callable[[Connection], T]) -> T:
        """Run a function in one transaction, while no other process migrates; it may take minutes."""
        self._require_open()
        engine = open_transactions(
            make_autocommit_engine(
                self.url,
                connections=1,
                lock_seconds=MIGRATION_LOCK_SECONDS,
                statement_seconds=MIGRATION_TIMEOUT_SECONDS,
            )
        )
        sockets = EngineSockets(engine)
        migrating = asyncio.ensure_future(asyncio.to_thread(_run_exclusively, engine, work))
        # After a timeout nothing awaits its error, and asyncio would log that.
        migrating.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        try:
            async with asyncio.timeout(MIGRATION_TIMEOUT_SECONDS):
                return await asyncio.shield(migrating)
        except TimeoutError:
            sockets.shut_down()
            raise OutcomeUnknown(NO_ANSWER) from None

    def usage(self) -> DatabaseUsage:
        """Return how busy the connections are: those of the threads, and those of the moves."""
        running = min(THREADS, len(self._in_threads))
        return DatabaseUsage(running + self._moves.running, len(self._in_threads) - running + self._moves.waiting)

    async def close(self) -> None:
        """Finish running transactions and disconnect. Closing twice is harmless."""
        self._closed = True
        await asyncio.gather(
            self._transactions.wait_for_all(CLOSE_SECONDS), self._moves.close(CLOSE_SECONDS, OutcomeUnknown(_CLOSED))
        )
        # A thread waiting for a server that does not answer would keep the process from exiting.
        self._sockets.shut_down()
        self._threads.shutdown(wait=False)
        self.write_engine.dispose()
        self._outage.close()

    async def _run(self, kind: OperationKind, transaction: Callable[..., T]) -> T:
        """Run a transaction in a thread; it takes the `deadline` of `transact`."""
        self._require_open()
        with self._outage.track(kind):
            return await self._run_in_thread(transaction)

    async def _connect_lane(self, on_sent: Callable[[Outcome], None]) -> MoveConnection | None:
        """Return a connection for moves, or None if only a transaction has the limits of statements."""
        try:
            connection = await self._run_in_thread(lambda *, deadline: check_out(self.autocommit_engine))  # noqa: ARG005
        except OutcomeUnknown as fault:
            # Nothing has been sent.
            raise StoreUnavailable(str(fault)) from fault
        if connection is None:
            return None
        # A lane limits the time of its batches itself.
        self._sockets.exempt(driver_of(connection))
        try:
            return MoveConnection(connection, on_sent, seconds=TRANSACTION_SECONDS)
        except psycopg.Error as fault:
            connection.invalidate()
            raise StoreUnavailable(str(fault)) from fault

    async def _save_each(
        self, moves: Sequence[Move], may_be_saved: Sequence[bool], taken_at: float
    ) -> Sequence[Exception | None]:
        # The callers have waited since they were taken, even if they were not sent together.
        return await self._run_in_thread(partial(save_each, self.autocommit_engine, moves, may_be_saved), taken_at)

    async def _run_in_thread(self, transaction: Callable[..., T], began_at: float | None = None) -> T:
        now = time.monotonic()
        deadline = (now if began_at is None else began_at) + TRANSACTION_SECONDS
        transaction = partial(transaction, deadline=deadline)
        try:
            running = self._threads.submit(_run_before_deadline, now + QUEUE_SECONDS, transaction)
        except RuntimeError as fault:
            # A move that was still waiting when the threads were shut down.
            raise StoreUnavailable(_CLOSED) from fault
        ended = asyncio.wrap_future(running)
        self._in_threads.add(ended)
        ended.add_done_callback(self._in_threads.discard)
        try:
            async with asyncio.timeout(max(0.0, deadline - now)):
                return await self._transactions.wait_for(ended)
        except TimeoutError:
            if running.cancel():
                raise StoreUnavailable(TOO_MANY_WAITING) from None
            # It has waited in the queue for QUEUE_SECONDS at most. Another server may answer the next ones.
            self._sockets.shut_down_used(TRANSACTION_SECONDS - QUEUE_SECONDS)
            raise OutcomeUnknown(NO_ANSWER) from None

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(_CLOSED)


def _run_before_deadline(deadline: float, transaction: Callable[[], T]) -> T:
    if time.monotonic() > deadline:
        raise StoreUnavailable(TOO_MANY_WAITING)
    return transaction()


def _run_exclusively(engine: Engine, work: Callable[[Connection], T]) -> T:
    def run_locked(connection: Connection) -> T:
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK_ID)))
        return work(connection)

    try:
        with translate_errors(code_faults=()):
            return transact(engine, run_locked, deadline=math.inf)
    finally:
        engine.dispose()
