"""The interface of a database backend: it runs functions over a connection as transactions."""

from collections.abc import Callable
from typing import Concatenate, Final, ParamSpec, Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.engine import URL
from sqlalchemy.exc import DataError, IntegrityError, NotSupportedError, ProgrammingError

from bot.platform.observability.collectors import DatabaseUsage
from bot.tables.model import Entry, Header

P = ParamSpec("P")
T = TypeVar("T")

LOCK_SECONDS: Final = 2.0
"""How long to wait for another process's lock; a click must be answered within three seconds."""

QUEUE_SECONDS: Final = 5.0
"""How long a transaction may wait in the queue."""

TOO_MANY_WAITING: Final = "too many transactions are waiting"

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

PROGRAMMING_ERRORS: Final = (IntegrityError, ProgrammingError, DataError, NotSupportedError)
"""Errors that mean a fault in the code, not in the database."""


class Database(Protocol):
    """A database backend.

    Every method except `close` raises StoreUnavailable if the database does not work, and OutcomeUnknown if a write may
    or may not have been committed.
    """

    @property
    def url(self) -> URL:
        """The database's URL."""

    async def write(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a write transaction. When this returns, the transaction is on disk."""

    async def save_move(self, header: Header, entry: Entry) -> None:
        """Write a changed header and the entry that changed it, both or neither.

        Raises:
            Conflict: The stored revision is not the expected one, or the step exists.
        """

    async def read(self, work: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function in a read-only transaction that sees a single snapshot."""

    async def run_exclusively(self, work: Callable[[Connection], T]) -> T:
        """Run a function in one transaction, while no other process migrates; it may take minutes."""

    def usage(self) -> DatabaseUsage:
        """Return how busy the connections are."""

    async def close(self) -> None:
        """Finish running transactions and disconnect. Closing twice is harmless."""
