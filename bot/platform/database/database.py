"""The database: it runs functions over a connection as transactions."""

import asyncio
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, NotSupportedError, ProgrammingError

from bot.platform.database.address import SQLITE, parse_database_url
from bot.platform.database.errors import OperationKind, OutageLog, SchemaMismatch, StoreUnavailable
from bot.platform.database.sql import set_value
from bot.platform.observability.metrics import DatabaseUsage, Metrics
from bot.platform.observability.trace import note_saved
from bot.platform.places import ALL_SHARDS

P = ParamSpec("P")
T = TypeVar("T")

LOCK_SECONDS: Final = 2.0
"""How long to wait for another process's lock; a click needs an answer within three seconds."""

QUEUE_SECONDS: Final = 5.0
"""How long a transaction may wait in the queue."""

TOO_MANY_WAITING: Final = "too many transactions are waiting"
CLOSED: Final = "the database is closed"

STATEMENT_SECONDS: Final = 5.0
"""How long a statement may take before it is interrupted and its transaction rolled back."""

TRANSACTION_SECONDS: Final = 10.0
"""How long to wait for a transaction that has begun."""

CLOSE_SECONDS: Final = 2.0
"""How long closing waits for running transactions."""

MIGRATION_LOCK_SECONDS: Final = 60.0
"""How long to wait for another process's migration."""

MIGRATION_TIMEOUT_SECONDS: Final = 3600.0
"""How long a migration or a rebuild may take. A million results take a quarter of an hour on a busy machine."""

WRITE_FAILURE_SECONDS: Final = 60.0
"""How long a failed write makes the database unhealthy unless a later write succeeds; without players there is none."""

PROGRAMMING_ERRORS: Final = (IntegrityError, ProgrammingError, DataError, NotSupportedError)
"""Errors that mean a fault in the code, not in the database."""


SELECT_SCHEMA_VERSION: Final = text("SELECT version_num FROM alembic_version")
_PING_KEY: Final = "ping"

_SIGNS_OF_ANOTHER_SCHEMA: Final = (SchemaMismatch, DBAPIError, sqlite3.Error, LookupError, ValueError, TypeError)
"""Errors that may mean that another version has changed the tables or stored unknown values."""


class Database(ABC):
    """Runs functions over a connection as transactions.

    Every method except `close` raises StoreUnavailable if the database does not work, and OutcomeUnknown if a write may
    or may not have been committed.
    """

    def __init__(self, url: URL, metrics: Metrics | None = None) -> None:
        self.url: Final = url
        self.shards = ALL_SHARDS
        """The shards of this process, to which its queries for work are limited."""
        self.outgrown = asyncio.Event()
        """Set after a failure because another version of Parlour has upgraded the database."""
        self.metrics: Final = metrics or Metrics()
        self.metrics.sources.database = self.usage
        self._write_failed_at: float | None = None
        """When the last requested write failed, on the monotonic clock; None if it succeeded."""
        self._outage = OutageLog()
        self._closed = False
        self.own_version: str | None = None
        """The version of the schema that this process's code was written for; None before migrations ran."""

    async def read(self, query: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a read-only transaction that sees a single snapshot."""
        return await self._watch(OperationKind.READ, lambda connection: query(connection, *args, **kwargs))

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write a person's request; afterwards, no later error is reported to them as a failure of the request.

        When this returns, the transaction is on disk.
        """
        with self._noting_failure():
            written = await self.maintain(work, *args, **kwargs)
        note_saved()
        return written

    async def write_statement(
        self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Write like `write`, with a function of one statement, which autocommits where that saves a round trip.

        Running the function twice must have the effect of running it once.
        """
        with self._noting_failure():
            written = await self._watch(
                OperationKind.WRITE, lambda connection: work(connection, *args, **kwargs), is_statement=True
            )
        note_saved()
        return written

    async def maintain(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Write something that nobody asked for, such as a cache or the id of a message."""
        return await self._watch(OperationKind.WRITE, lambda connection: work(connection, *args, **kwargs))

    @abstractmethod
    async def run_exclusively(self, work: Callable[[Connection], T]) -> T:
        """Run a function in one transaction while no other process migrates; it may take minutes, and is not timed."""

    @abstractmethod
    def usage(self) -> DatabaseUsage:
        """Return how busy the connections are."""

    @abstractmethod
    async def close(self) -> None:
        """Finish running transactions and disconnect. Closing twice is harmless."""

    async def ping(self) -> None:
        """Check that the database works by writing a row.

        Raises:
            StoreUnavailable: Writing fails, or the last requested write failed within a minute. A full disk may accept
                this row, which overwrites another, but no further move.
        """
        await self.maintain(set_value, _PING_KEY, datetime.now(UTC).isoformat())
        if self._write_failed_at is not None and time.monotonic() - self._write_failed_at < WRITE_FAILURE_SECONDS:
            raise StoreUnavailable("the last write failed")

    @abstractmethod
    async def _run(self, kind: OperationKind, work: Callable[[Connection], T], *, is_statement: bool = False) -> T:
        """Run a function in a transaction, or as an autocommitted statement."""

    async def _watch(self, kind: OperationKind, work: Callable[[Connection], T], *, is_statement: bool = False) -> T:
        """Run a transaction, with metrics and a log of outages."""
        # Late work at shutdown finds the database closed, which is no outage.
        self._require_open()
        with self.metrics.time_transaction(kind), self._outage.track(kind):
            try:
                return await self._run(kind, work, is_statement=is_statement)
            except _SIGNS_OF_ANOTHER_SCHEMA as fault:
                await self._require_own_version(fault)
                raise

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(CLOSED)

    @contextmanager
    def _noting_failure(self) -> Iterator[None]:
        try:
            yield
        except StoreUnavailable:
            self._write_failed_at = time.monotonic()
            raise
        self._write_failed_at = None

    async def _require_own_version(self, fault: Exception) -> None:
        """Check whether an upgrade caused a failure.

        Raises:
            SchemaMismatch: An upgrade caused it.
        """
        with suppress(*_SIGNS_OF_ANOTHER_SCHEMA, StoreUnavailable):
            version = await self._run(OperationKind.READ, read_version)
            if self.own_version is None or version == self.own_version:
                return
            self.outgrown.set()
        if self.outgrown.is_set():
            raise SchemaMismatch("another version of Parlour has upgraded the database") from fault


def read_version(connection: Connection) -> str | None:
    """Return the version of the schema, or None in an empty database."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    version: str | None = connection.execute(SELECT_SCHEMA_VERSION).scalar()
    return version


def open_database(address: str, metrics: Metrics | None = None) -> Database:
    """Return the database at an address, without connecting to it.

    Raises:
        ValueError: The address is not supported.
    """
    # Import here, so that the libraries of the other kind of database are never loaded.
    url = parse_database_url(address)
    if url.get_backend_name() == SQLITE:
        from bot.platform.database.sqlite import SqliteDatabase  # noqa: PLC0415

        return SqliteDatabase(url, metrics)
    from bot.platform.database.postgres import PostgresDatabase  # noqa: PLC0415

    return PostgresDatabase(url, metrics)
