"""What the store needs of a database: functions over a connection, run on it as transactions."""

import asyncio
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import Any, Concatenate, Final, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import URL
from sqlalchemy.exc import DataError, IntegrityError, NotSupportedError, ProgrammingError

P = ParamSpec("P")
T = TypeVar("T")

LOCK_SECONDS: Final = 2.0
"""How long to wait for another process's lock; a click must be answered within three."""

QUEUE_SECONDS: Final = 5.0
"""How long a transaction may wait for those before it, or for its connection."""

STATEMENT_SECONDS: Final = 5.0
"""How long a statement may take before it is interrupted, which undoes its transaction."""

TRANSACTION_SECONDS: Final = 10.0
"""How long to wait for a transaction that has begun, whatever keeps the database from answering."""

CLOSE_SECONDS: Final = 2.0
"""How long the end waits for transactions under way."""

MIGRATION_LOCK_SECONDS: Final = 60.0
"""How long to wait for another process that is migrating."""

MIGRATION_TIMEOUT_SECONDS: Final = 900.0
"""How long a migration may take."""

PROGRAMMING_ERRORS: Final = (IntegrityError, ProgrammingError, DataError, NotSupportedError)
"""Errors which say that the code is wrong, not that the database is out of order."""


class Database(Protocol):
    """A database; every method but `close` raises StoreUnavailable when it is out of order.

    A write whose commit was given up on, or whose connection was lost with it, raises OutcomeUnknown.
    """

    @property
    def url(self) -> URL:
        """Where the database is."""
        ...

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that writes; when it returns, its work is on disk."""
        ...

    def committing(
        self, one: Callable[[Connection], object], several: Callable[[Connection], object], /
    ) -> AbstractAsyncContextManager[bool]:
        """Write, and run the block while the commit is under way; when the block is left, the work is on disk.

        Args:
            one: Writes by a single statement; called where the database has such. When the connection is lost the
                statement may be made twice: the second must find the first.
            several: Writes the same by several statements.

        Returns:
            A context manager that yields whether the commit is still under way.
        """
        ...

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a transaction that sees one state of the database and changes nothing."""
        ...

    async def run_exclusively(self, work: Callable[[Connection], T]) -> T:
        """Run a function that changes the database as a whole, in one transaction and alone, however long it takes."""
        ...

    async def close(self) -> None:
        """Finish what is running and let the database go; harmless when done twice."""
        ...


class RunningTransactions:
    """Transactions under way: each runs to its end, even when its caller is cancelled meanwhile."""

    def __init__(self) -> None:
        self._running: set[asyncio.Future[Any]] = set()

    async def wait_for(self, transaction: asyncio.Future[T]) -> T:
        """Wait for a transaction, and look after it when nobody waits any more."""
        self._running.add(transaction)
        transaction.add_done_callback(self._running.discard)
        return await asyncio.shield(transaction)

    async def wait_for_all(self, patience: float | None = None) -> None:
        """Wait for all that are under way, at most for some seconds."""
        if self._running:
            await asyncio.wait(self._running, timeout=patience)
