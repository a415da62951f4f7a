"""SQLite: one writer and a few concurrent readers."""

import asyncio
from collections.abc import Callable
from itertools import cycle
from typing import Final, TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import URL

from bot.platform.database.database import LOCK_SECONDS, MIGRATION_LOCK_SECONDS, MIGRATION_TIMEOUT_SECONDS, Database
from bot.platform.database.outage import OperationKind
from bot.platform.database.sqlite.connection import (
    BEGIN_READING,
    BEGIN_WRITING,
    READER_PRAGMAS,
    connect,
    interrupt_after,
    make_engine,
    prepare_file,
    transact,
)
from bot.platform.database.sqlite.connection_queue import ConnectionQueue
from bot.platform.observability.collectors import DatabaseUsage
from bot.platform.observability.metrics import Metrics

T = TypeVar("T")

READER_COUNT: Final = 3

BATCH_SIZE: Final = 32
"""How many waiting write transactions share one commit, and so one disk flush."""

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
        """Create the file if it is missing, and run a function in one transaction; it may take minutes."""
        self._require_open()
        return await asyncio.shield(asyncio.to_thread(_run_exclusively, self.url, work))

    def usage(self) -> DatabaseUsage:
        """Return how busy the connections are."""
        queues = (self._writer, *self._readers)
        return DatabaseUsage(sum(each.is_busy for each in queues), sum(each.waiting for each in queues))

    async def close(self) -> None:
        """Finish running transactions and close the file. Closing twice is harmless."""
        self._closed = True
        # The writer goes last: the last connection to close merges the write-ahead log into the file.
        for queue in (*self._readers, self._writer):
            await queue.close()
        self._outage.close()

    async def _run(self, kind: OperationKind, work: Callable[[Connection], T], *, is_statement: bool = False) -> T:
        """Run a function in a transaction; writes that wait at the same time share one commit."""
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
