"""Errors of the database."""

import logging
import re
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Final


class StoreUnavailable(Exception):
    """The database does not work (full disk, missing file, server down), so nothing was read or written."""

    def __init__(self, reason: str = "", advice: str = "") -> None:
        super().__init__(reason)
        self.advice = advice
        """Advice to the person who runs the bot, in sentences; empty if there is none."""


class OutcomeUnknown(StoreUnavailable):
    """The outcome of an abandoned write is unknown: it may be committed now or later. Reload to find out."""


_BUSY: Final = (
    "Another program keeps it locked: close what has it open, such as a database browser or an unfinished transaction, "
    "and try again."
)
_READ_ONLY: Final = (
    "The bot may not write there: make the file and its folder belong to the user that the bot runs as, on a disk that "
    "is not mounted read-only."
)
_NO_FILE: Final = (
    "Check that the path in DATABASE_URL is right, and that its folder belongs to the user that the bot runs as."
)
_DISK: Final = "The disk is failing: see the system's log. If it goes on, restore the newest backup to another disk."
_DAMAGED: Final = "The database is damaged: stop the bot, and restore the newest backup (docs/hosting.md)."
_FULL: Final = "The disk is full: free some space. Nothing that was already saved is lost."
_NO_DATABASE: Final = (
    "The file is not an SQLite database, or its header is damaged: name another one in DATABASE_URL, or restore the "
    "newest backup (docs/hosting.md)."
)
_OTHER_TABLES: Final = (
    "It lacks the tables of this version of Parlour: check that DATABASE_URL names the right database. "
    "`python -m bot database upgrade` upgrades an older one; a newer one needs the newer version of Parlour."
)

_OF_SQLITE: Final = {
    sqlite3.SQLITE_ERROR: _OTHER_TABLES,
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_IOERR: _DISK,
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_FULL: _FULL,
    sqlite3.SQLITE_CANTOPEN: _NO_FILE,
    sqlite3.SQLITE_NOTADB: _NO_DATABASE,
}
"""Advice by primary result code."""

_AWAY: Final = "The server is starting or stopping: try again in a moment."
_LOCKED: Final = "Another session has held a lock for too long: find it in pg_stat_activity, and end it or wait for it."
_CROWDED: Final = (
    "The server accepts no more connections: raise its max_connections or the role's limit. The bot uses up to eight."
)
_NOT_OWNER: Final = (
    "The role in DATABASE_URL must own the database, so that it may create and change tables: "
    "`ALTER DATABASE ... OWNER TO ...`."
)
_STANDBY: Final = (
    "The server is read-only: name the primary in DATABASE_URL, and turn default_transaction_read_only off there."
)
_CONTRADICTION: Final = (
    "The stored data is inconsistent, and nothing was changed: restore the newest backup (docs/hosting.md), or report "
    "a bug if the disk is sound."
)
_NO_ROLE: Final = "Create the role, or name another one in DATABASE_URL (docs/hosting.md has the commands)."
_NO_SUCH_DATABASE: Final = (
    "Create the database, or name another one in DATABASE_URL (docs/hosting.md has the commands)."
)
_LOGIN: Final = (
    "Check the user and the password in DATABASE_URL; characters such as @ : / ? # % must be percent-encoded there "
    "(%40 for @)."
)
_NO_SERVER: Final = "Check that the server runs, and that the host and the port in DATABASE_URL are right."

NO_RIGHT_STATE: Final = "42501"
"""The SQLSTATE of a missing right."""

_OF_POSTGRES: Final = {
    "08": _NO_SERVER,
    "23": _CONTRADICTION,
    "25006": _STANDBY,
    "28": _LOGIN,
    "3D": _NO_SUCH_DATABASE,
    "3F": _OTHER_TABLES,
    "40P01": _LOCKED,
    NO_RIGHT_STATE: _NOT_OWNER,
    "42P01": _OTHER_TABLES,
    "42703": _OTHER_TABLES,
    "53100": _FULL,
    "53300": _CROWDED,
    "55P03": _LOCKED,
    "57014": _LOCKED,
    "57P0": _AWAY,
    "XX": _DAMAGED,
}
"""Advice by the beginning of the SQLSTATE."""

_OF_CONNECTING: Final = {
    "password authentication failed|no password supplied|authentication failed": _LOGIN,
    'role ".*" does not exist|not permitted to log in': _NO_ROLE,
    'database ".*" does not exist': _NO_SUCH_DATABASE,
    "no pg_hba.conf entry": "Allow the bot's machine, role and database in the server's pg_hba.conf.",
    "too many (?:clients|connections)|connection slots are reserved": _CROWDED,
    "is (?:starting up|shutting down)|in recovery mode": _AWAY,
    "session is read-only|is not accepting read-write": _STANDBY,
    "SSL|certificate": "Check sslmode and the certificates that DATABASE_URL names.",
    "failed to resolve host|could not translate host name": "Check the name of the host in DATABASE_URL.",
    "Connection refused|No such file or directory|timeout|timed out|unreachable|No route to host": _NO_SERVER,
}
"""Advice by the message of the server or of libpq, which has no SQLSTATE before a session has begun."""


class SchemaMismatch(StoreUnavailable):
    """The tables belong to another version of Parlour."""


def explain(reason: str, fault: BaseException | None) -> StoreUnavailable:
    """Return the error for a fault of a driver or of the system, with advice.

    Args:
        reason: The description of the fault.
        fault: The driver's error.
    """
    advice = find_advice(reason, fault)
    return (SchemaMismatch if advice is _OTHER_TABLES else StoreUnavailable)(reason, advice)


def find_advice(reason: str, fault: BaseException | None) -> str:
    """Return advice about a fault, or an empty text."""
    if isinstance(fault, OSError):
        return _FULL if "No space left" in reason else _NO_FILE
    if isinstance(fault, sqlite3.Error):
        return _OF_SQLITE.get(sqlite_code(fault), "")
    state = getattr(fault, "sqlstate", None)
    if state is not None:
        return next((advice for begin, advice in _OF_POSTGRES.items() if state.startswith(begin)), "")
    found = (advice for words, advice in _OF_CONNECTING.items() if re.search(words, reason))
    return next(found, "")


def sqlite_code(fault: BaseException) -> int:
    """Return SQLite's primary result code; 0 for errors of the driver itself."""
    return getattr(fault, "sqlite_errorcode", 0) & 0xFF


log = logging.getLogger(__name__)

RECOVERY_SECONDS: Final = 5.0
"""An outage ends after this time without a failure, because a full disk still accepts some writes."""


class OperationKind(StrEnum):
    """Operations that can fail independently; for example, a full disk can still be read."""

    READ = "read"
    WRITE = "write"


class OutageLog:
    """Logs outages with counts of failures, so that callers need not log StoreUnavailable."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failing: set[OperationKind] = set()
        """The kinds that have failed and not succeeded since."""
        self._failure_counts: Counter[OperationKind] = Counter()
        self._unknown_outcomes = 0
        self._began_at = self._failed_at = 0.0

    @contextmanager
    def track(self, kind: OperationKind) -> Iterator[None]:
        """Record whether the body fails with StoreUnavailable."""
        try:
            yield
        except StoreUnavailable as fault:
            self._note_failure(kind, fault)
            raise
        if self._failure_counts:
            self._note_success(kind)

    def close(self) -> None:
        """Log the counts of an unfinished outage."""
        if self._failure_counts:
            self._log_summary("the database still fails at shutdown")

    def _note_failure(self, kind: OperationKind, fault: StoreUnavailable) -> None:
        self._failed_at = self._clock()
        if not self._failure_counts:
            self._began_at = self._failed_at
            told = f"{fault}. {fault.advice}" if fault.advice else str(fault)
            log.error("the database fails; further failures are counted until it works again: %s", told)
        self._failing.add(kind)
        self._failure_counts[kind] += 1
        self._unknown_outcomes += kind is OperationKind.WRITE and isinstance(fault, OutcomeUnknown)

    def _note_success(self, kind: OperationKind) -> None:
        self._failing.discard(kind)
        if not self._failing and self._clock() - self._failed_at >= RECOVERY_SECONDS:
            self._log_summary("the database works again")

    def _log_summary(self, what: str) -> None:
        log.warning(
            "%s: in %.0f s %d reads and %d writes failed, %d of which may have been committed",
            what,
            self._failed_at - self._began_at,
            self._failure_counts[OperationKind.READ],
            self._failure_counts[OperationKind.WRITE],
            self._unknown_outcomes,
        )
        self._failure_counts.clear()
        self._unknown_outcomes = 0
