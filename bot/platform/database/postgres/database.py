"""The PostgreSQL backend: transactions in threads with a connection each; a move is a transaction of one statement."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import Connection, Engine, Insert, bindparam, func, insert, select, update
from sqlalchemy.engine import URL
from sqlalchemy.exc import IntegrityError

from bot.platform.database.database import (
    CLOSE_SECONDS,
    LOCK_SECONDS,
    MIGRATION_LOCK_SECONDS,
    MIGRATION_TIMEOUT_SECONDS,
    QUEUE_SECONDS,
    STATEMENT_SECONDS,
    TOO_MANY_WAITING,
    TRANSACTION_SECONDS,
)
from bot.platform.database.outage import OperationKind, OutageLog
from bot.platform.database.postgres.connection import (
    ServerWait,
    make_autocommit_engine,
    open_transactions,
    transact,
    translate_errors,
)
from bot.platform.observability.collectors import DatabaseUsage
from bot.tables import rows
from bot.tables.model import Entry, Header
from bot.tables.ports import Conflict, OutcomeUnknown, StoreUnavailable
from bot.tables.schema import moves, tables

P = ParamSpec("P")
T = TypeVar("T")

POOL_SIZE: Final = 8
"""How many threads run transactions, with a connection each.

Concurrent commits share one disk flush; a server admits about a hundred connections in all.
"""

MIGRATION_LOCK_ID: Final = 7_265_108_559
"""The key of the advisory lock held by a migrating process: a random number that must never change."""

_CLOSED: Final = "the store is closed"
_NO_ANSWER: Final = "the server does not answer"


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
        self._threads = ThreadPoolExecutor(POOL_SIZE, thread_name_prefix="postgres")
        self._transactions: dict[asyncio.Future[Any], ServerWait] = {}
        """The transactions that run, or wait for a thread."""
        self._outage = OutageLog()
        self._closed = False

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a write transaction. When this returns, the transaction is on disk."""
        transaction = partial(transact, self.write_engine, lambda connection: work(connection, *args, **kwargs))
        return await self._run(OperationKind.WRITE, transaction)

    async def save_move(self, header: Header, entry: Entry) -> None:
        """Save a move with a single statement: one round trip to the server."""
        work = partial(save_move, header=header, entry=entry)
        await self._run(OperationKind.WRITE, partial(transact, self.autocommit_engine, work, is_autocommitted=True))

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
            wait.give_up(_CLOSED)
        self._threads.shutdown(wait=False)
        self.autocommit_engine.dispose()
        self._outage.close()

    async def _run(self, kind: OperationKind, transaction: Callable[[], T]) -> T:
        """Run a transaction in a thread, to its end even if the caller is cancelled."""
        self._require_open()
        with self._outage.track(kind):
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

    def _require_open(self) -> None:
        if self._closed:
            raise StoreUnavailable(_CLOSED)


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


def save_move(connection: Connection, header: Header, entry: Entry) -> None:
    """Write a changed header and the entry that changed it with one statement: both or neither.

    Raises:
        Conflict: The stored revision is not the expected one, or the step exists.
    """
    changed, added = rows.moved_table_values(header), rows.move_values(header.id, entry)
    values = {f"{name}_of_table": value for name, value in changed.items()}
    values |= {f"{name}_of_move": value for name, value in added.items()}
    statement = _build_move(tuple(changed), tuple(added))
    try:
        saved = connection.execute(statement, {**values, "expected": header.revision - 1})
    except IntegrityError as error:
        raise Conflict(header.id) from error
    if saved.rowcount == 0 and not _was_saved(connection, header, entry):
        raise Conflict(header.id)


# Building the statement takes more processor time than all the rest of saving a move.
@lru_cache(maxsize=16)
def _build_move(changed: tuple[str, ...], added: tuple[str, ...]) -> Insert:
    table = (
        update(tables)
        .where(tables.c.id == bindparam("table_id_of_move"), tables.c.revision == bindparam("expected"))
        .values({name: bindparam(f"{name}_of_table") for name in changed})
        .returning(tables.c.id)
        .cte("changed")
    )
    # If no table was changed, this selects no row.
    move = select(*(bindparam(f"{name}_of_move", type_=moves.c[name].type) for name in added)).select_from(table)
    # SQLAlchemy keeps no row count of inserts by default.
    return insert(moves).from_select(added, move).execution_options(preserve_rowcount=True)


def _was_saved(connection: Connection, header: Header, entry: Entry) -> bool:
    """Return whether an earlier attempt, whose answer was lost, has saved this very entry.

    Another process's entry for the same click has another time.
    """
    stored = connection.execute(
        select(moves).where(moves.c.table_id == header.id, moves.c.step == entry.step)
    ).one_or_none()
    if stored is None or rows.entry_of(stored) != entry:
        return False
    # The standby may lack the commit of that attempt. This statement changes nothing, but its commit waits for both.
    connection.execute(update(tables).where(tables.c.id == header.id).values(revision=tables.c.revision))
    return True
