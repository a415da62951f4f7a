"""PostgreSQL: transactions in threads with a connection each."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, TypeVar

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.engine import URL

from bot.platform.database.database import (
    CLOSE_SECONDS,
    CLOSED,
    LOCK_SECONDS,
    MIGRATION_LOCK_SECONDS,
    MIGRATION_TIMEOUT_SECONDS,
    QUEUE_SECONDS,
    STATEMENT_SECONDS,
    TOO_MANY_WAITING,
    TRANSACTION_SECONDS,
    Database,
)
from bot.platform.database.errors import OutcomeUnknown, StoreUnavailable
from bot.platform.database.outage import OperationKind
from bot.platform.database.postgres.connection import (
    ServerWait,
    make_autocommit_engine,
    open_transactions,
    transact,
    translate_errors,
)
from bot.platform.observability.collectors import DatabaseUsage
from bot.platform.observability.metrics import Metrics

T = TypeVar("T")

POOL_SIZE: Final = 8
"""How many threads run transactions, with a connection each.

Concurrent commits share one disk flush; a server admits about a hundred connections in all.
"""

MIGRATION_LOCK_ID: Final = 7_265_108_559
"""The key of the advisory lock held by a migrating process: a random number that must never change."""

_NO_ANSWER: Final = "the server does not answer"


class PostgresDatabase(Database):
    """PostgreSQL: transactions in threads with a connection each."""

    def __init__(self, url: URL, metrics: Metrics | None = None) -> None:
        super().__init__(url, metrics)
        self.autocommit_engine = make_autocommit_engine(
            url, connections=POOL_SIZE, lock_seconds=LOCK_SECONDS, statement_seconds=STATEMENT_SECONDS
        )
        self.write_engine = open_transactions(self.autocommit_engine)
        # All queries of a read transaction see the same snapshot.
        self._read_engine = open_transactions(self.autocommit_engine, level="REPEATABLE READ", postgresql_readonly=True)
        self._threads = ThreadPoolExecutor(POOL_SIZE, thread_name_prefix="postgres")
        self._transactions: dict[asyncio.Future[Any], ServerWait] = {}
        """The transactions that run, or wait for a thread."""

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
        wait = ServerWait()
        migrating = asyncio.ensure_future(asyncio.to_thread(wait.run, partial(_run_exclusively, engine, work)))
        # After a timeout nothing awaits its error, and asyncio would log that.
        migrating.add_done_callback(lambda ended: ended.cancelled() or ended.exception())
        try:
            async with asyncio.timeout(MIGRATION_TIMEOUT_SECONDS):
                return await asyncio.shield(migrating)
        except TimeoutError:
            wait.give_up(_NO_ANSWER)
            raise OutcomeUnknown(_NO_ANSWER) from None

    def usage(self) -> DatabaseUsage:
        """Return how busy the connections are."""
        running = min(POOL_SIZE, len(self._transactions))
        return DatabaseUsage(running, len(self._transactions) - running)

    async def close(self) -> None:
        """Finish running transactions and disconnect. Closing twice is harmless."""
        self._closed = True
        if self._transactions:
            await asyncio.wait(self._transactions, timeout=CLOSE_SECONDS)
        # A thread waiting for a server that does not answer would keep the process from exiting.
        for wait in self._transactions.values():
            wait.give_up(CLOSED)
        self._threads.shutdown(wait=False)
        self.autocommit_engine.dispose()
        self._outage.close()

    async def _run(self, kind: OperationKind, work: Callable[[Connection], T], *, is_statement: bool = False) -> T:
        """Run a transaction in a thread, to its end even if the caller is cancelled."""
        if kind is OperationKind.READ:
            try:
                return await self._run_in_thread(partial(transact, self._read_engine, work))
            except OutcomeUnknown as fault:
                # A read has no effect, so its outcome does not matter.
                raise StoreUnavailable(str(fault)) from fault
        if is_statement:
            return await self._run_in_thread(partial(transact, self.autocommit_engine, work, is_autocommitted=True))
        return await self._run_in_thread(partial(transact, self.write_engine, work))

    async def _run_in_thread(self, transaction: Callable[[], T]) -> T:
        self._require_open()
        wait = ServerWait()
        running = self._threads.submit(_run_unless_late, time.monotonic() + QUEUE_SECONDS, wait, transaction)
        ended = asyncio.wrap_future(running)
        self._transactions[ended] = wait
        ended.add_done_callback(self._forget)
        try:
            async with asyncio.timeout(TRANSACTION_SECONDS):
                return await asyncio.shield(ended)
        except TimeoutError:
            if running.cancel():
                raise StoreUnavailable(TOO_MANY_WAITING) from None
            wait.give_up(_NO_ANSWER)
            raise OutcomeUnknown(_NO_ANSWER) from None

    def _forget(self, transaction: asyncio.Future[Any]) -> None:
        del self._transactions[transaction]
        if not transaction.cancelled():
            # If its caller has given up, asyncio would log the exception as one that nobody saw.
            transaction.exception()


def _run_unless_late(deadline: float, wait: ServerWait, transaction: Callable[[], T]) -> T:
    if time.monotonic() > deadline:
        raise StoreUnavailable(TOO_MANY_WAITING)
    return wait.run(transaction)


def _run_exclusively(engine: Engine, work: Callable[[Connection], T]) -> T:
    def run_locked(connection: Connection) -> T:
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATION_LOCK_ID)))
        return work(connection)

    try:
        with translate_errors(code_faults=()):
            return transact(engine, run_locked)
    finally:
        engine.dispose()
