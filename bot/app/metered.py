"""A store with metrics: it counts saved moves, times transactions, and can be asked whether it works."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from typing import Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection, func, select
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError

from bot.app.store import SqlStore
from bot.platform.database.database import Database
from bot.platform.database.faults import SchemaMismatch
from bot.platform.database.migrate import read_version
from bot.platform.database.outage import OperationKind
from bot.platform.jobs.schema import jobs
from bot.platform.observability.collectors import DatabaseStats, DatabaseUsage
from bot.platform.observability.metrics import Metrics
from bot.tables.model import Award, Entry, Header, TableUpdate
from bot.tables.ports import StoreUnavailable
from bot.tables.schema import IS_LESSON, IS_OPEN, IS_UNSHOWN, tables

SAVE_FAILURE_SECONDS: Final = 60.0
"""How long a failed save makes the store unhealthy, unless a later one succeeds: without players none is tried."""

_PING_KEY: Final = "ping"
_COUNT_OPEN = select(tables.c.status, func.count()).where(IS_OPEN, ~IS_LESSON).group_by(tables.c.status)
_COUNT_UNSHOWN = select(func.count(), func.min(tables.c.updated_at)).where(IS_UNSHOWN)
_FIND_NEXT_JOB = select(func.min(jobs.c.due_at))

P = ParamSpec("P")
T = TypeVar("T")


_SIGNS_OF_ANOTHER_SCHEMA: Final = (SchemaMismatch, DBAPIError, sqlite3.Error, LookupError, ValueError, TypeError)
"""What fails if another version has changed tables, or has stored what this one does not know."""


class MeteredDatabase:
    """A database whose transactions are timed, and which notices that another version of Parlour has upgraded it."""

    def __init__(self, database: Database, metrics: Metrics) -> None:
        self._database = database
        self._metrics = metrics
        self._version: str | None = None
        self.outgrown = asyncio.Event()
        """Set once something has failed because of an upgrade."""

    async def note_version(self) -> None:
        """Note the version of the schema, which is this process's own."""
        self._version = await self._database.read(read_version)

    @property
    def url(self) -> URL:
        """The database's URL."""
        return self._database.url

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a write transaction. When this returns, the transaction is on disk."""
        with self._metrics.time_transaction(OperationKind.WRITE):
            try:
                return await self._database.write(work, *args, **kwargs)
            except _SIGNS_OF_ANOTHER_SCHEMA as fault:
                await self._require_own_version(fault)
                raise

    async def save_move(self, header: Header, entry: Entry) -> None:
        """Write a changed header and the entry that changed it, both or neither."""
        with self._metrics.time_transaction(OperationKind.WRITE):
            try:
                await self._database.save_move(header, entry)
            except _SIGNS_OF_ANOTHER_SCHEMA as fault:
                await self._require_own_version(fault)
                raise

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a read-only transaction that sees a single snapshot."""
        with self._metrics.time_transaction(OperationKind.READ):
            try:
                return await self._database.read(work, *args, **kwargs)
            except _SIGNS_OF_ANOTHER_SCHEMA as fault:
                await self._require_own_version(fault)
                raise

    async def _require_own_version(self, fault: Exception) -> None:
        """Look whether something has failed because of an upgrade.

        Raises:
            SchemaMismatch: It has.
        """
        with suppress(*_SIGNS_OF_ANOTHER_SCHEMA, StoreUnavailable):
            if self._version is None or await self._database.read(read_version) == self._version:
                return
            self.outgrown.set()
        if self.outgrown.is_set():
            raise SchemaMismatch("another version of Parlour has upgraded the database") from fault

    async def run_exclusively(self, work: Callable[[Connection], T]) -> T:
        """Run a function in one transaction, while no other process migrates; it may take minutes and is not timed."""
        return await self._database.run_exclusively(work)

    def usage(self) -> DatabaseUsage:
        """Return how busy the connections are."""
        return self._database.usage()

    async def close(self) -> None:
        """Finish running transactions and disconnect. Closing twice is harmless."""
        await self._database.close()


class MeteredStore(SqlStore):
    """A SqlStore that reports metrics and health."""

    def __init__(self, database_url: str, metrics: Metrics, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__(database_url)
        self.database = self._watched = MeteredDatabase(self.database, metrics)
        metrics.sources.database = self.database.usage
        self._metrics = metrics
        self._clock = clock
        self._save_failed_at: float | None = None

    @property
    def outgrown(self) -> asyncio.Event:
        """Set once something has failed because another version of Parlour has upgraded the database."""
        return self._watched.outgrown

    async def upgrade(self) -> None:
        """Create the database or upgrade its schema, and note its version."""
        await super().upgrade()
        await self._watched.note_version()

    async def save(self, change: TableUpdate) -> Sequence[Award]:
        """Save a table, count the move, and note whether saving works."""
        try:
            awards = await super().save(change)
        except StoreUnavailable:
            self._save_failed_at = self._clock()
            raise
        self._save_failed_at = None
        if change.entry is not None:
            self._metrics.count_move(change.header.game)
        return awards

    async def ping(self) -> None:
        """Check that the store works by writing a row.

        Raises:
            StoreUnavailable: Writing fails, or the last save failed within a minute. On a full disk a row can still be
                overwritten when a move no longer fits.
        """
        await self.set_value(_PING_KEY, datetime.now(UTC).isoformat())
        if self._save_failed_at is not None and self._clock() - self._save_failed_at < SAVE_FAILURE_SECONDS:
            raise StoreUnavailable("the last save failed")

    async def load_stats(self) -> DatabaseStats:
        """Return the numbers of open tables and of tables not shown yet, and when the next job is due."""
        return await self.database.read(_read_stats)


def _read_stats(connection: Connection) -> DatabaseStats:
    open_tables = {str(status): int(count) for status, count in connection.execute(_COUNT_OPEN)}
    unshown, since = connection.execute(_COUNT_UNSHOWN).one()
    return DatabaseStats(open_tables, unshown, since, connection.execute(_FIND_NEXT_JOB).scalar_one())
