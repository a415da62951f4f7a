"""Transactions on a PostgreSQL database: several at once, each in a thread with a connection."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.engine import URL

from bot.store.database import LOCK_SECONDS, MIGRATION_SECONDS, QUEUE_SECONDS, Running
from bot.store.postgres_line import Line
from bot.store.postgres_server import engine_for, said_plainly, transact
from bot.tables.ports import Meanwhile, StoreUnavailable

P = ParamSpec("P")
T = TypeVar("T")

CONNECTIONS: Final = 8
"""Commits of several connections share one trip to the disk; a server admits about a hundred in all."""

STATEMENT_SECONDS: Final = 5.0
"""How long a statement may take, and how long the server waits for the next one of a transaction."""

ANSWER_SECONDS: Final = 10.0
"""How long to wait for a transaction, whatever keeps the server from answering."""

CLOSING_SECONDS: Final = 2.0
"""How long the end waits for transactions under way."""

MIGRATING: Final = 7_265_108_559
"""The number of the advisory lock that whoever migrates holds; chosen at random, and only ever the same."""


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
        self._closed = False

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that writes; when it returns, its work is on disk."""
        return await self._run(self._writing, lambda connection: work(connection, *args, **kwargs))

    async def write_in_one(
        self,
        one: Callable[[Connection], T],
        _several: Callable[[Connection], T],
        _meanwhile: Meanwhile | None = None,
        /,
    ) -> T:
        """Run the function of one statement, which is a transaction of its own: one trip to the server, not four."""
        return await self._run(self._writing_at_once, one)

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that sees one state of the database and changes nothing."""
        return await self._run(self._reading, lambda connection: work(connection, *args, **kwargs))

    async def migrate(self, work: Callable[[Connection], T]) -> T:
        """Run a function that changes the database as a whole in one transaction, while no other process does."""
        self._demand_open()
        return await asyncio.shield(asyncio.to_thread(_migrate, self.url, work))

    async def close(self) -> None:
        """Finish what is running and let the connections go; harmless when done twice."""
        self._closed = True
        await self._running.finish_all(CLOSING_SECONDS)
        # A thread that waits for a server which does not answer would keep the process from ending.
        self._line.cut()
        self._threads.shutdown(wait=False)
        self._writing.dispose()

    async def _run(self, engine: Engine, work: Callable[[Connection], T]) -> T:
        self._demand_open()
        deadline = time.monotonic() + QUEUE_SECONDS
        call = partial(_transact, deadline, engine, work)
        running = asyncio.get_running_loop().run_in_executor(self._threads, call)
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                return await self._running.finish(running)
        except TimeoutError:
            raise StoreUnavailable("the server does not answer") from None

    def _demand_open(self) -> None:
        if self._closed:
            raise StoreUnavailable("the store is closed")


def _transact(deadline: float, engine: Engine, work: Callable[[Connection], T]) -> T:
    if time.monotonic() > deadline:
        raise StoreUnavailable("too many transactions are waiting")
    return transact(engine, work)


def _migrate(url: URL, work: Callable[[Connection], T]) -> T:
    def alone(connection: Connection) -> T:
        connection.execute(select(func.pg_advisory_xact_lock(MIGRATING)))
        return work(connection)

    engine = engine_for(url, connections=1, lock_seconds=MIGRATION_SECONDS, statement_seconds=0)
    try:
        with said_plainly(faults_of_ours=()):
            return transact(engine, alone)
    finally:
        engine.dispose()
