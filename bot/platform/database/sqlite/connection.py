"""SQLite connections: engine, transactions, file set-up, and the translation of errors."""

import os
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
from sqlalchemy.exc import DBAPIError, OperationalError
from sqlalchemy.pool import ConnectionPoolEntry, NullPool

from bot.platform.database.database import PROGRAMMING_ERRORS
from bot.platform.database.errors import OutcomeUnknown, StoreUnavailable
from bot.platform.database.faults import explain, sqlite_code
from bot.platform.database.urls import file_of, follow_links

T = TypeVar("T")

RUN_FUNCTION: Final = "-- run a function in the connection's thread"
"""The statement that makes `DriverConnection` call a function, its only parameter."""

BEGIN_READING: Final = "BEGIN"
BEGIN_WRITING: Final = "BEGIN IMMEDIATE"
"""Takes the write lock at once, so that the transaction can't fail halfway because of another writer."""

READER_PRAGMAS: Final = ("query_only=ON",)

_RETRY_SECONDS: Final = 0.02
_PROGRESS_STEPS: Final = 100_000
"""How many instructions of SQLite's virtual machine run between two looks at the clock."""


class DatabaseMissing(StoreUnavailable):
    """There is no file, and only a migration makes one."""

    def __init__(self, file: Path) -> None:
        super().__init__(
            f"there is no file {file}",
            "Check the path in DATABASE_URL. The bot makes a new database when it starts, and so does "
            "`python -m bot database upgrade`.",
        )


class DriverConnection(sqlite3.Connection):
    """The driver's connection, which also runs functions.

    aiosqlite switches to the connection's thread for each call, about ten times for a move. With a function for
    `execute`, a single call runs a whole transaction there. sqlite3's parameter `factory` sets the class.
    """

    def execute(self, sql: str, parameters: Any = (), /) -> sqlite3.Cursor:
        """Execute a statement, or call a function: `execute(RUN_FUNCTION, [function])`."""
        if sql is RUN_FUNCTION:
            (function,) = parameters
            # Made first: the function may close the connection.
            cursor = self.cursor()
            function()
            return cursor
        return super().execute(sql, parameters)


def make_engine(url: URL, *, begin: str, pragmas: tuple[str, ...], lock_seconds: float) -> Engine:
    """Return an engine whose connections are for `transact`, and are closed for good when they are closed.

    Args:
        url: The file.
        begin: The statement that begins a transaction.
        pragmas: The pragmas to set on connecting.
        lock_seconds: Seconds to wait for another process's lock.
    """
    engine = create_engine(
        url,
        poolclass=NullPool,
        # Parameters include names and secret seeds, which must not be logged.
        hide_parameters=True,
        # The driver would begin transactions late and deferred; `begin_transaction` does it instead.
        connect_args={
            "isolation_level": None,
            "timeout": lock_seconds,
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
    def begin_transaction(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    return engine


def connect(engine: Engine) -> Connection:
    """Open a connection for `transact`.

    Raises:
        DatabaseMissing: There is no file, but there can be. SQLite would make an empty one.
        StoreUnavailable: There is none, and there can't be.
    """
    with _translate_errors():
        if not file_of(engine.url).exists():
            _require_makeable(file_of(engine.url))
            raise DatabaseMissing(file_of(engine.url))
        return engine.connect()


def _require_makeable(file: Path) -> None:
    """Require that a file that is missing can be made, with the folders that it lacks."""
    folder = next(each for each in follow_links(file).parents if each.exists())
    if not folder.is_dir():
        raise NotADirectoryError(f"{folder} is a file, not a folder")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise PermissionError(f"there is no file {file}, and the bot may not make one in {folder}")


def driver_connection_of(connection: Connection) -> DriverConnection:
    """Return the driver's connection."""
    return cast("DriverConnection", connection.connection.driver_connection)


def interrupt_after(connection: Connection, seconds: float) -> None:
    """Interrupt any statement that is running after some seconds from now."""
    deadline = time.monotonic() + seconds
    driver_connection_of(connection).set_progress_handler(lambda: time.monotonic() > deadline, _PROGRESS_STEPS)


def transact(connection: Connection, work: Callable[[Connection], T]) -> T:
    """Run a function in a transaction, which is committed if it returns and rolled back if it raises."""
    with _translate_errors():
        transaction = connection.begin()
        try:
            done = work(connection)
            with _translate_commit_errors():
                transaction.commit()
        except BaseException:
            transaction.rollback()
            # A commit that SQLite refuses leaves its transaction open, but ends SQLAlchemy's.
            driver_connection_of(connection).rollback()
            raise
        return done


@dataclass(frozen=True, slots=True)
class Failure:
    """The error of a function that raised and was rolled back."""

    error: BaseException


def transact_batch(connection: Connection, works: Sequence[Callable[[Connection], object]]) -> Sequence[object]:
    """Run functions in one transaction and return their results or Failures.

    If one raises, each is run again in its own transaction, unless the database does not work.
    """
    done = _try_transaction(connection, lambda _: [work(connection) for work in works])
    if not isinstance(done, Failure):
        return done
    if len(works) == 1 or isinstance(done.error, StoreUnavailable):
        return [done] * len(works)
    return [_try_transaction(connection, work) for work in works]


def _try_transaction(connection: Connection, work: Callable[[Connection], T]) -> T | Failure:
    try:
        return transact(connection, work)
    except BaseException as error:  # noqa: BLE001 - the waiting job raises it
        return Failure(error)


def prepare_file(url: URL, lock_seconds: float) -> None:
    """Create the file and its folder if they are missing, and enable the write-ahead log."""
    engine = make_engine(url, begin=BEGIN_WRITING, pragmas=(), lock_seconds=lock_seconds)
    with _translate_errors():
        _make_file(follow_links(file_of(url)))
        try:
            mode = enable_wal(engine, time.monotonic() + lock_seconds)
        finally:
            engine.dispose()
    if mode != "wal":
        raise StoreUnavailable("the file must be on a local disk: SQLite can't keep a write-ahead log where it is")


def _make_file(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if not file.exists():
        # It contains secret seeds, so only its owner may read it. SQLite gives its side files the same mode.
        file.touch(mode=0o600)


def enable_wal(engine: Engine, deadline: float) -> str:
    """Enable the write-ahead log, retrying because SQLite does not wait while another process does the same."""
    while True:
        try:
            with closing(engine.raw_connection()) as connection:
                return str(connection.execute("PRAGMA journal_mode=WAL").fetchone()[0])
        except sqlite3.OperationalError as error:
            if sqlite_code(error) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_SECONDS)


@contextmanager
def _translate_commit_errors() -> Iterator[None]:
    """Translate a disk error during a commit into OutcomeUnknown: part of the commit may be on disk."""
    try:
        yield
    except OperationalError as error:
        if error.orig is not None and sqlite_code(error.orig) == sqlite3.SQLITE_IOERR:
            raise OutcomeUnknown(str(error)) from error
        raise


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Translate errors of the database, but not faults in the code, into StoreUnavailable."""
    try:
        yield
    except PROGRAMMING_ERRORS:
        raise
    except DBAPIError as error:
        first = _first_fault(error)
        raise explain(str(first), first) from error
    except (OSError, sqlite3.DatabaseError) as error:
        raise explain(str(error), error) from error


def _first_fault(error: BaseException) -> BaseException:
    """Return the driver's error about what went wrong first.

    A full disk or an interrupt ends a transaction with its savepoints, so that rolling back to one fails, too.
    """
    while error.__context__ is not None:
        error = error.__context__
    return error
