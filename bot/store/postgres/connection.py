"""How a PostgreSQL server is reached; everything that holds for PostgreSQL alone."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final, Protocol, TypeVar

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from bot.store.database import PROGRAMMING_ERRORS
from bot.tables.ports import OutcomeUnknown, StoreUnavailable

T = TypeVar("T")

CONNECT_DEFAULTS: Final = {
    "application_name": "parlour",
    "connect_timeout": "2",
    # A server that is cut off is noticed by what it does not acknowledge, in milliseconds.
    "tcp_user_timeout": "4000",
}
"""How to connect, as far as the address says nothing else."""

SESSION_SETUP: Final = text("""
SELECT set_config('lock_timeout', :lock, false),
       set_config('statement_timeout', :statement, false),
       -- Whoever falls asleep in a transaction must not keep others waiting.
       set_config('idle_in_transaction_session_timeout', :statement, false),
       set_config('timezone', 'UTC', false),
       -- A server may acknowledge what is not on disk yet; what was acknowledged here is.
       set_config('synchronous_commit', replace(current_setting('synchronous_commit'), 'off', 'on'), false)
""")

MISSING_SCHEMA_STATES: Final = frozenset({"3F000", "42501", "42P01"})
"""SQLSTATEs of a database without the schema, the rights or the tables: nothing that the code has got wrong."""


class ConnectionLost(StoreUnavailable):
    """The server went away before the commit: what was begun is undone, but for a statement that commits itself."""


def make_engine(url: URL, *, connections: int, lock_seconds: float, statement_seconds: float) -> Engine:
    """Return an engine of so many connections, whose sessions wait for locks and statements no longer than told."""
    engine = create_engine(
        url.set(query={**CONNECT_DEFAULTS, **url.query}),
        pool_size=connections,
        max_overflow=0,
        # Each of the threads has one, so nobody waits unless something is amiss.
        pool_timeout=lock_seconds,
        # Parameters are people's names, and secrets until a table is over: nothing for logs.
        hide_parameters=True,
    )
    compiled = str(SESSION_SETUP.compile(dialect=engine.dialect))
    patience = {"lock": _milliseconds(lock_seconds), "statement": _milliseconds(statement_seconds)}

    @event.listens_for(engine, "connect")
    def set_up(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        connection.cursor().execute(compiled, patience)
        connection.commit()

    event.listen(engine, "handle_error", _redact_rows)
    return engine


def _milliseconds(seconds: float) -> str:
    return str(round(seconds * 1000))


def _redact_rows(context: ExceptionContext) -> None:
    """Shorten what the server says to its first line: the others repeat the row, secrets and all."""
    fault = context.original_exception
    diagnosis = getattr(fault, "diag", None)
    if diagnosis is not None and diagnosis.message_primary and context.sqlalchemy_exception is not None:
        fault.args = (diagnosis.message_primary,)
        context.sqlalchemy_exception.args = (f"({type(fault).__name__}) {diagnosis.message_primary}",)


class TransactionRunner(Protocol):
    """Runs a function in a transaction: all of it is done when this returns."""

    def __call__(self, engine: Engine, work: Callable[[Connection], T], /) -> T:
        """Return what the function returns."""
        ...


def transact(engine: Engine, work: Callable[[Connection], T]) -> T:
    """Run a function in a transaction: all of it is done when this returns, nothing when it raises.

    Raises OutcomeUnknown where the server went away during the commit.
    """
    try:
        return _transact_once(engine, work)
    except ConnectionLost:
        # A connection that lay idle while the server was restarted is dead; the next one is made anew.
        return _transact_once(engine, work)


def transact_autocommit(engine: Engine, work: Callable[[Connection], T]) -> T:
    """Do the same for a function of one statement that commits itself, and finds what it did the first time.

    Raises OutcomeUnknown where the server went away during the statement and can't be asked any more.
    """
    try:
        return _transact_once(engine, work)
    except ConnectionLost:
        try:
            return _transact_once(engine, work)
        except StoreUnavailable as fault:
            raise OutcomeUnknown(str(fault)) from fault


def _transact_once(engine: Engine, work: Callable[[Connection], T]) -> T:
    with _connect(engine) as connection, translate_errors():
        result = _run_work(connection, work)
        _commit(connection)
        return result


def _commit(connection: Connection) -> None:
    try:
        connection.commit()
    except DBAPIError as error:
        if error.connection_invalidated:
            raise OutcomeUnknown(_message_of(error)) from error
        raise


@contextmanager
def _connect(engine: Engine) -> Iterator[Connection]:
    with translate_errors(faults_of_ours=()):
        connection = engine.connect()
    with connection:
        yield connection


def _run_work(connection: Connection, work: Callable[[Connection], T]) -> T:
    try:
        return work(connection)
    except DBAPIError as error:
        if error.connection_invalidated:
            raise ConnectionLost(_message_of(error)) from error
        raise


@contextmanager
def translate_errors(*, faults_of_ours: Collection[type[DBAPIError]] = PROGRAMMING_ERRORS) -> Iterator[None]:
    """Turn whatever a database out of order raises into StoreUnavailable."""
    try:
        yield
    except PoolTimeout as error:
        raise StoreUnavailable("no connection is free") from error
    except DBAPIError as error:
        is_ours = isinstance(error, tuple(faults_of_ours))
        if is_ours and getattr(error.orig, "sqlstate", None) not in MISSING_SCHEMA_STATES:
            raise
        raise StoreUnavailable(_message_of(error)) from error


def _message_of(error: DBAPIError) -> str:
    return " ".join(str(error.orig).split())
