"""Transactions on a PostgreSQL database: several at once, each in a thread with a connection."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.engine import URL

from bot.store.database import (
    ANSWER_SECONDS,
    CLOSING_SECONDS,
    LOCK_SECONDS,
    MIGRATION_ANSWER_SECONDS,
    MIGRATION_SECONDS,
    QUEUE_SECONDS,
    STATEMENT_SECONDS,
    Running,
)
from bot.store.outage import Outage, Work
from bot.store.postgres.connection import Transacted, engine_for, said_plainly, transact, transact_at_once
from bot.store.postgres.socket import Line
from bot.tables.ports import Meanwhile, OutcomeUnknown, StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")

CONNECTIONS: Final = 8
"""Commits of several connections share one trip to the disk; a server admits about a hundred in all."""

MIGRATING: Final = 7_265_108_559
"""The number of the advisory lock that whoever migrates holds; chosen at random, and only ever the same."""

_LATE: Final = "too many transactions are waiting"
_SILENT: Final = "the server does not answer"


class PostgresDatabase:
    """A database on a PostgreSQL server."""

    def __init__(self, url: URL) -> None:
        self.url: Final = url
        self._writing = engine_for(
            url, connections=CONNECTIONS, lock_seconds=LOCK_SECONDS, statement_seconds=STATEMENT_SECONDS
        )
        self._writing_at_once = self._writing.execution_options(isolation_level="AUTOCOMMIT")
        self._line = Line(self._writing)
        # The queries of a reader see the same state, whatever is committed between them.
        self._reading = self._writing.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        self._threads = ThreadPoolExecutor(CONNECTIONS, thread_name_prefix="postgres")
        self._running = Running()
        self._outage = Outage()
        self._closed = False

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that writes; when it returns, its work is on disk."""
        return await self._run(
            Work.WRITE, transact, self._writing, lambda connection: work(connection, *args, **kwargs)
        )

    async def write_in_one(
        self,
        one: Callable[[Connection], T],
        _several: Callable[[Connection], T],
        _meanwhile: Meanwhile | None = None,
        /,
    ) -> T:
        """Run the function of one statement, which is a transaction of its own: one trip to the server, not four."""
        return await self._run(Work.WRITE, transact_at_once, self._writing_at_once, one)

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that sees one state of the database and changes nothing."""
        try:
            return await self._run(
                Work.READ, transact, self._reading, lambda connection: work(connection, *args, **kwargs)
            )
        except OutcomeUnknown as fault:
            # Nothing comes of a question that is not answered.
            raise StoreUnavailable(str(fault)) from fault

    async def migrate(self, work: Callable[[Connection], T]) -> T:
        """Run a function that changes the database as a whole in one transaction, while no other process does."""
        self._demand_open()
        engine = engine_for(
            self.url, connections=1, lock_seconds=MIGRATION_SECONDS, statement_seconds=MIGRATION_ANSWER_SECONDS
        )
        line = Line(engine)
        migrating = asyncio.ensure_future(asyncio.to_thread(_migrate, engine, work))
        try:
            async with asyncio.timeout(MIGRATION_ANSWER_SECONDS):
                return await asyncio.shield(migrating)
        except TimeoutError:
            line.cut()
            raise OutcomeUnknown(_SILENT) from None

    async def close(self) -> None:
        """Finish what is running and let the connections go; harmless when done twice."""
        self._closed = True
        await self._running.finish_all(CLOSING_SECONDS)
        # A thread that waits for a server which does not answer would keep the process from ending.
        self._line.cut()
        self._threads.shutdown(wait=False)
        self._writing.dispose()
        self._outage.close()

    async def _run(self, kind: Work, transacted: Transacted, engine: Engine, work: Callable[[Connection], T]) -> T:
        self._demand_open()
        with self._outage.noting(kind):
            return await self._answered(transacted, engine, work)

    async def _answered(self, transacted: Transacted, engine: Engine, work: Callable[[Connection], T]) -> T:
        deadline = time.monotonic() + QUEUE_SECONDS
        running = self._threads.submit(_transact, deadline, partial(transacted, engine, work))
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._running.finish(asyncio.wrap_future(running))
        except TimeoutError:
            if running.cancel():
                raise StoreUnavailable(_LATE) from None
            raise OutcomeUnknown(_SILENT) from None

    def _demand_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")


def _transact(deadline: float, transaction: Callable[[], T]) -> T:
    if time.monotonic() > deadline:
        raise StoreUnavailable(_LATE)
    return transaction()


def _migrate(engine: Engine, work: Callable[[Connection], T]) -> T:
    def alone(connection: Connection) -> T:
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
        return work(connection)

    try:
        with said_plainly(faults_of_ours=()):
            return transact(engine, alone)
    finally:
        engine.dispose()
