"""How an SQLite file is set up and reached; everything that holds for SQLite alone."""

import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

from bot.store.database import PROGRAMMING_ERRORS
from bot.tables.ports import OutcomeUnknown, StoreUnavailable

T = TypeVar("T")

RUN_FUNCTION: Final = "-- run a function in the connection's thread"
"""What `Driver` is told in place of a statement; its one parameter is the function."""

BEGIN_WRITING: Final = "BEGIN IMMEDIATE"
"""Begins a transaction that waits for no lock once it has begun."""

_PRIMARY_CODE: Final = 0xFF
_RETRY_SECONDS: Final = 0.02
_PROGRESS_STEPS: Final = 100_000
"""How many steps of SQLite's machine pass between two looks at the clock."""


class DriverConnection(sqlite3.Connection):
    """The driver's own connection, which also runs functions.

    aiosqlite makes a trip to the connection's thread for each call, about ten for a move. So that one call carries a
    whole transaction there, `execute` takes a function, too: sqlite3 makes connections of any class (`factory`).
    """

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement, or call a function: `execute(RUN_FUNCTION, [function])`."""
        if sql is RUN_FUNCTION:
            (function,) = parameters
            function()
            return self.cursor()
        return super().execute(sql, parameters)


def make_engine(url: URL, *, begin: str, pragmas: tuple[str, ...], patience: float) -> Engine:
    """Return an engine of one connection, which is set up by pragmas and whose transactions begin as told."""
    engine = create_engine(
        url,
        poolclass=StaticPool,
        # Parameters are people's names, and secrets until a table is over: nothing for logs.
        hide_parameters=True,
        # Transactions are begun below, in so many words; the driver would begin them late and deferred.
        connect_args={
            "isolation_level": None,
            "timeout": patience,
            "check_same_thread": False,
            "factory": DriverConnection,
        },
    )

    @event.listens_for(engine, "connect")
    def set_up(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine, "begin")
    def begin_in_so_many_words(connection: Connection) -> None:
        connection.connection.cursor().execute(begin)

    return engine


def connect(engine: Engine) -> Connection:
    """Open the engine's connection."""
    with _translate_errors():
        return engine.connect()


def driver_connection_of(connection: Connection) -> DriverConnection:
    """Return the driver's own object of a connection."""
    return cast("DriverConnection", connection.connection.driver_connection)


def interrupt_after(connection: Connection, seconds: float) -> None:
    """Let no statement of a connection run on when so many seconds have passed."""
    deadline = time.monotonic() + seconds
    driver_connection_of(connection).set_progress_handler(lambda: time.monotonic() > deadline, _PROGRESS_STEPS)


def transact(
    connection: Connection, work: Callable[[Connection], T], on_written: Callable[[], None] | None = None
) -> T:
    """Run a function in a transaction: all of it is done when this returns, nothing when it raises.

    Args:
        connection: The connection, which has no transaction.
        work: What writes and reads.
        on_written: Called before the commit, when the work is done.
    """
    with _translate_errors():
        transaction = connection.begin()
        try:
            done = work(connection)
            if on_written is not None:
                on_written()
            with _translate_commit_errors():
                transaction.commit()
        except BaseException:
            transaction.rollback()
            # SQLAlchemy takes a transaction for ended whose commit SQLite has refused and left open.
            driver_connection_of(connection).rollback()
            raise
        return done


@dataclass(frozen=True, slots=True)
class Failure:
    """What became of a function that raised: nothing of its work is done."""

    error: BaseException


def transact_batch(
    connection: Connection,
    works: Sequence[Callable[[Connection], object]],
    on_written: Callable[[], None] | None = None,
) -> Sequence[object]:
    """Run functions in one transaction and return what they return; when one raises, run each in one of its own.

    A database that is out of order is so for all of them.
    """
    done = _try_transaction(connection, lambda _: [work(connection) for work in works], on_written)
    if not isinstance(done, Failure):
        return done
    if len(works) == 1 or isinstance(done.error, StoreUnavailable):
        return [done] * len(works)
    return [_try_transaction(connection, work) for work in works]


def _try_transaction(
    connection: Connection, work: Callable[[Connection], T], on_written: Callable[[], None] | None = None
) -> T | Failure:
    try:
        return transact(connection, work, on_written)
    except BaseException as error:  # noqa: BLE001 - whoever waits for it is told
        return Failure(error)


def prepare_file(url: URL, patience: float) -> None:
    """Make the file and its folder where they are missing, and see to the write-ahead log."""
    engine = make_engine(url, begin="BEGIN", pragmas=(), patience=patience)
    with _translate_errors():
        _make_file(url)
        try:
            mode = _enable_wal(engine, time.monotonic() + patience)
        finally:
            engine.dispose()
    if mode != "wal":
        raise StoreUnavailable("the file needs a local disk: where it lies, SQLite can't keep a write-ahead log")


def _make_file(url: URL) -> None:
    # SQLite's own `file:` addresses name no path that could be made.
    if not url.database or url.database.startswith("file:"):
        return
    file = Path(url.database)
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        # It holds the seeds of games under way: nobody but its owner reads it, or the side files SQLite makes like it.
        file.touch(mode=0o600)


def _enable_wal(engine: Engine, deadline: float) -> str:
    """Switch the write-ahead log on; SQLite itself does not wait when another process does the same."""
    while True:
        try:
            with closing(engine.raw_connection()) as connection:
                return str(connection.execute("PRAGMA journal_mode=WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            if _primary_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)


@contextmanager
def _translate_commit_errors() -> Iterator[None]:
    """Turn a fault of the disk during a commit into OutcomeUnknown: what the disk took may be found after a crash."""
    try:
        yield
    except (DBAPIError, sqlite3.OperationalError) as error:
        fault = error.orig if isinstance(error, DBAPIError) else error
        if isinstance(fault, sqlite3.OperationalError) and _primary_code(fault) == sqlite3.SQLITE_IOERR:
            raise OutcomeUnknown(str(fault)) from error
        raise


def _primary_code(fault: sqlite3.Error) -> int:
    # Errors that the driver raises by itself have no code.
    return getattr(fault, "sqlite_errorcode", 0) & _PRIMARY_CODE


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Turn whatever a database out of order raises into StoreUnavailable."""
    try:
        yield
    except PROGRAMMING_ERRORS:
        raise
    except DBAPIError as error:
        raise StoreUnavailable(str(error.orig)) from error
    except (OSError, sqlite3.DatabaseError) as error:
        raise StoreUnavailable(str(error)) from error
