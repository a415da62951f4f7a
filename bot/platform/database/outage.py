"""Logs database outages: one line when an outage begins, and one with counts when it is over."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Final

from bot.platform.database.errors import OutcomeUnknown, StoreUnavailable

log = logging.getLogger(__name__)

RECOVERY_SECONDS: Final = 5.0
"""An outage ends after this long without a failure: on a full disk some writes still succeed."""


class OperationKind(StrEnum):
    """Operations that can fail independently: a full disk can still be read."""

    READ = "read"
    WRITE = "write"


class OutageLog:
    """Counts failures, so that callers need not log StoreUnavailable."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failing: set[OperationKind] = set()
        """The kinds that have failed and not succeeded since."""
        self._failure_counts: Counter[OperationKind] = Counter()
        self._unknown_outcomes = 0
        self._began_at = self._failed_at = 0.0

    @contextmanager
    def track(self, kind: OperationKind) -> Iterator[None]:
        """Note whether the block fails with StoreUnavailable."""
        try:
            yield
        except StoreUnavailable as fault:
            self._note_failure(kind, fault)
            raise
        if self._failure_counts:
            self._note_success(kind)

    def close(self) -> None:
        """Log the counts of an outage that is not over."""
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
