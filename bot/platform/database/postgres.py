"""PostgreSQL connections: engine, session settings, abortable waits, transactions and translation of errors."""

import asyncio
import os
import select
import socket
import threading
import time
from collections.abc import Callable, Collection, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any, Final, TypeVar

import psycopg
from sqlalchemy import Connection, Engine, create_engine, event, func, text
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import DBAPIError, DisconnectionError, TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from bot.platform.database.database import (
    CLOSE_SECONDS,
    CLOSED,
    LOCK_SECONDS,
    MIGRATION_LOCK_SECONDS,
    MIGRATION_TIMEOUT_SECONDS,
    PROGRAMMING_ERRORS,
    QUEUE_SECONDS,
    STATEMENT_SECONDS,
    TOO_MANY_WAITING,
    TRANSACTION_SECONDS,
    Database,
)
from bot.platform.database.errors import OperationKind, OutcomeUnknown, StoreUnavailable, explain, find_advice
from bot.platform.observability.metrics import DatabaseUsage, Metrics

T = TypeVar("T")

_IS_POOLED: Final = "is_pooled"
_HAS_CANCELLED_WAIT: Final = "has_cancelled_wait"

CONNECT_DEFAULTS: Final = {
    "application_name": "parlour",
    "connect_timeout": "2",
    # Milliseconds without acknowledgement until a connection counts as lost.
    "tcp_user_timeout": "4000",
}
"""Connection parameters that the URL does not set."""

_ENCODING: Final = {"client_encoding": "UTF8"}
"""Overrides other defaults, because people's names may have any letters."""

SEVERAL_HOSTS_DEFAULTS: Final = {"target_session_attrs": "read-write"}
"""Additional defaults for a URL with several servers, of which one is the primary."""

SETTINGS: Final = text("""
SELECT set_config('lock_timeout', :lock, :local),
       set_config('statement_timeout', :statement, :local),
       -- A suspended process must not keep others waiting for its locks.
       set_config('idle_in_transaction_session_timeout', :statement, :local),
       set_config('timezone', 'UTC', :local),
       -- With 'off', the server would acknowledge commits that are not on disk.
       set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), :local)
""")
"""Sets the limits of a session or, with `local`, of a transaction."""

_AUTOCOMMIT: Final = "AUTOCOMMIT"
_TRANSACTION: Final = "READ COMMITTED"
"""The usual isolation level of PostgreSQL."""

READ_ONLY_STATE: Final = "25006"
"""The SQLSTATE of a write that a standby refuses."""

MISSING_SCHEMA_STATES: Final = frozenset({"3F000", "42501", "42P01"})
"""SQLSTATEs of a missing schema, right or table, which do not mean a fault in the code."""


class ConnectionLost(StoreUnavailable):
    """The connection was lost before the commit, which rolls back any transaction that is not autocommitted."""


_current: Final = threading.local()
"""Its `wait` is the current ServerWait of the thread."""


class ServerWait:
    """Runs a function that waits for the server, and lets another thread abort it.

    A thread that waits for an unresponsive server only wakes up if its connection ends.
    """

    def __init__(self) -> None:
        self._connection: psycopg.Connection[Any] | None = None
        self._reason = ""

    def run(self, work: Callable[[], T]) -> T:
        """Run the function in this thread."""
        _current.wait = self
        try:
            return work()
        finally:
            self._connection = _current.wait = None

    def use(self, connection: psycopg.Connection[Any]) -> None:
        """Set the connection that the function uses from now on.

        Raises:
            StoreUnavailable: The function was aborted.
        """
        self._connection = connection
        self.require_wanted()

    def require_wanted(self) -> None:
        """Raise StoreUnavailable if the function was aborted."""
        if self._reason:
            raise StoreUnavailable(self._reason)

    def give_up(self, reason: str) -> None:
        """Abort the function: shut its connection down as if the server had closed it, and let it open no other."""
        self._reason = reason
        connection = self._connection
        if connection is not None:
            with suppress(psycopg.Error, OSError), socket.socket(fileno=os.dup(connection.fileno())) as end:
                end.shutdown(socket.SHUT_RDWR)


def make_autocommit_engine(url: URL, *, connections: int, lock_seconds: float, statement_seconds: float) -> Engine:
    """Return an autocommitting engine with a fixed number of connections and with time limits for statements.

    Moves are the most frequent writes, and take a single statement. Switching the isolation level and back costs
    SQLAlchemy 40 us, so only the transactions of `open_transactions` switch.
    """
    defaults = CONNECT_DEFAULTS | (SEVERAL_HOSTS_DEFAULTS if "," in url.query.get("host", "") else {})
    engine = create_engine(
        url.set(drivername="postgresql+psycopg", query={**defaults, **url.query, **_ENCODING}),
        isolation_level=_AUTOCOMMIT,
        pool_size=connections,
        max_overflow=0,
        # No column has this type, and looking it up would cost a query.
        use_native_hstore=False,
        # Each thread has a connection, so this is only a safeguard.
        pool_timeout=lock_seconds,
        # Parameters include names and secret seeds, which must not be logged.
        hide_parameters=True,
    )
    settings = str(SETTINGS.compile(dialect=engine.dialect))
    # Limits in milliseconds.
    limits = {"lock": str(round(lock_seconds * 1000)), "statement": str(round(statement_seconds * 1000))}

    event.listen(engine, "do_connect", _require_wanted)
    # Register before the set-up of the session, whose statement may already go unanswered.
    event.listen(engine, "connect", _use, insert=True)

    @event.listens_for(engine, "connect")
    def set_up_session(connection: psycopg.Connection[Any], entry: ConnectionPoolEntry) -> None:
        connection.add_notice_handler(partial(_on_notice, entry.info))
        if _is_pooled(connection):
            entry.info[_IS_POOLED] = True
            # The next transaction may get another session without the prepared statements.
            connection.prepare_threshold = None
        else:
            connection.execute(settings.encode(), {**limits, "local": False})
        connection.commit()

    @event.listens_for(engine, "begin")
    def set_up_transaction(connection: Connection) -> None:
        if _IS_POOLED in connection.info:
            connection.exec_driver_sql(settings, {**limits, "local": True})

    event.listen(engine, "checkout", _check_alive)
    event.listen(engine, "checkout", _use)
    event.listen(engine, "handle_error", _redact_rows)
    event.listen(engine, "handle_error", _leave_standby)
    return engine


def open_transactions(engine: Engine, *, level: str = _TRANSACTION, **options: Any) -> Engine:
    """Return an engine that shares the connections of an autocommitting engine and opens transactions."""
    return engine.execution_options(isolation_level=level, **options)


def _require_wanted(*_: object) -> None:
    wait: ServerWait | None = getattr(_current, "wait", None)
    if wait is not None:
        wait.require_wanted()


def _use(connection: psycopg.Connection[Any], *_: object) -> None:
    wait: ServerWait | None = getattr(_current, "wait", None)
    if wait is not None:
        wait.use(connection)


def _check_alive(connection: psycopg.Connection[Any], *_: object) -> None:
    """Replace a connection with unread data, because the server has closed it.

    A move sent over such a connection would have an unknown outcome.
    """
    poll = select.poll()
    try:
        poll.register(connection.fileno(), select.POLLIN)
    except psycopg.Error as fault:
        raise DisconnectionError(str(fault)) from fault
    if poll.poll(0):
        raise DisconnectionError("the server has closed the connection")


def _is_pooled(connection: psycopg.Connection[Any]) -> bool:
    """Return whether a pooler lends sessions; it reports an invented process id at the start."""
    row = connection.execute("SELECT pg_backend_pid()").fetchone()
    return row != (connection.info.backend_pid,)


def _on_notice(info: dict[str, object], notice: psycopg.errors.Diagnostic) -> None:
    # Check the function's name, because the text is in the server's language.
    if notice.source_function == "SyncRepWaitForLSN":
        info[_HAS_CANCELLED_WAIT] = True


def _redact_rows(context: ExceptionContext) -> None:
    """Shorten the server's message to its first line, because further lines quote the row with its secrets."""
    fault = context.original_exception
    diagnosis = getattr(fault, "diag", None)
    if diagnosis is not None and diagnosis.message_primary and context.sqlalchemy_exception is not None:
        fault.args = (diagnosis.message_primary,)
        context.sqlalchemy_exception.args = (f"({type(fault).__name__}) {diagnosis.message_primary}",)


def _leave_standby(context: ExceptionContext) -> None:
    """Drop the connections to a server that has become a standby, so that new ones look for the primary."""
    if getattr(context.original_exception, "sqlstate", None) == READ_ONLY_STATE:
        context.is_disconnect = True


def transact(engine: Engine, work: Callable[[Connection], T], *, is_autocommitted: bool = False) -> T:
    """Run a function in a transaction; commit if it returns, roll back if it raises.

    Args:
        engine: The engine.
        work: The function.
        is_autocommitted: Whether the function is a single autocommitted statement. Running it twice must have the
            effect of running it once.

    Raises:
        OutcomeUnknown: The connection was lost during the commit.
    """
    try:
        return _transact_once(engine, work)
    except ConnectionLost:
        # The server restarted while the connection was idle; the next attempt opens a new connection.
        try:
            return _transact_once(engine, work)
        except StoreUnavailable as fault:
            if is_autocommitted:
                raise OutcomeUnknown(str(fault)) from fault
            raise


def _transact_once(engine: Engine, work: Callable[[Connection], T]) -> T:
    # Translate everything, because the rollback after a refusal may fail as well.
    with translate_errors():
        with translate_errors(code_faults=()):
            connection = engine.connect()
        with connection:
            if _IS_POOLED in connection.info and "isolation_level" not in connection.get_execution_options():
                # The settings need a transaction.
                connection.execution_options(isolation_level=_TRANSACTION)
            try:
                result = work(connection)
            except DBAPIError as error:
                if error.connection_invalidated:
                    reason = _message_of(error)
                    raise ConnectionLost(reason, find_advice(reason, error.orig)) from error
                raise
            _commit(connection)
            return result


def _commit(connection: Connection) -> None:
    try:
        connection.commit()
    except DBAPIError as error:
        if error.connection_invalidated:
            raise OutcomeUnknown(_message_of(error)) from error
        raise
    # Reading `info` would reopen a lost connection.
    if not connection.invalidated and connection.info.pop(_HAS_CANCELLED_WAIT, False):
        raise OutcomeUnknown("the server has committed, but its standby may not have")


@contextmanager
def translate_errors(*, code_faults: Collection[type[DBAPIError]] = PROGRAMMING_ERRORS) -> Iterator[None]:
    """Translate errors of the database, but no faults in the code, into StoreUnavailable."""
    try:
        yield
    except PoolTimeout as error:
        raise StoreUnavailable("no connection is free") from error
    except DBAPIError as error:
        is_code_fault = isinstance(error, tuple(code_faults))
        if is_code_fault and getattr(error.orig, "sqlstate", None) not in MISSING_SCHEMA_STATES:
            raise
        raise explain(_message_of(error), error.orig) from error


def _message_of(error: DBAPIError) -> str:
    return " ".join(str(error.orig).split())


POOL_SIZE: Final = 8
"""The number of threads that run transactions, each with its own connection.

Concurrent commits share one disk flush. A server accepts about a hundred connections in total.
"""

MIGRATION_LOCK_ID: Final = 7_265_108_559
"""The key of the advisory lock held by a migrating process: a random number that must never change."""

_NO_ANSWER: Final = "the server does not answer"


class PostgresDatabase(Database):
    """PostgreSQL: runs transactions in threads, each with its own connection."""

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
        """The transactions that run or wait for a thread."""

    async def run_exclusively(self, work: Callable[[Connection], T]) -> T:
        """Run a function in one transaction while no other process migrates; it may take minutes."""
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
        # Retrieve the error, because nothing awaits it after a timeout and asyncio would log that.
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
        # A thread that waits for an unresponsive server would keep the process from exiting.
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
                # The outcome of a read does not matter, because a read has no effect.
                raise StoreUnavailable(str(fault)) from fault
        if is_statement:
            return await self._run_in_thread(partial(transact, self.autocommit_engine, work, is_autocommitted=True))
        return await self._run_in_thread(partial(transact, self.write_engine, work))

    async def _run_in_thread(self, transaction: Callable[[], T]) -> T:
        self._require_open()
        wait = ServerWait()
        deadline = time.monotonic() + QUEUE_SECONDS

        def run() -> T:
            if time.monotonic() > deadline:
                raise StoreUnavailable(TOO_MANY_WAITING)
            return wait.run(transaction)

        running = self._threads.submit(run)
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
            # Retrieve the exception, because asyncio would log it if the caller has given up.
            transaction.exception()


def _run_exclusively(engine: Engine, work: Callable[[Connection], T]) -> T:
    def run_locked(connection: Connection) -> T:
        connection.execute(func.pg_advisory_xact_lock(MIGRATION_LOCK_ID).select())
        return work(connection)

    try:
        with translate_errors(code_faults=()):
            return transact(engine, run_locked)
    finally:
        engine.dispose()
