"""What the log says of a database that fails: a line when that begins, and one when it is over."""

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import StrEnum
from typing import Final

from bot.tables.ports import OutcomeUnknown, StoreUnavailable

log = logging.getLogger(__name__)

RECOVERY_SECONDS: Final = 5.0
"""An outage is over when everything works that failed, and nothing has failed for so long: on a full disk some fits."""


class OperationKind(StrEnum):
    """What may fail by itself: a full disk can still be read."""

    READ = "read"
    WRITE = "write"


class OutageLog:
    """Counts what fails, so that whoever is told of it need not log it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failing: set[OperationKind] = set()
        """What has failed and not worked since."""
        self._failure_counts: Counter[OperationKind] = Counter()
        self._unknown_outcomes = 0
        self._began = self._failed_at = 0.0

    @contextmanager
    def track(self, work: OperationKind) -> Iterator[None]:
        """Note whether the database can do what the block asks of it."""
        try:
            yield
        except StoreUnavailable as fault:
            self._note_failure(work, fault)
            raise
        if self._failure_counts:
            self._note_success(work)

    def close(self) -> None:
        """Log what has failed, if the outage lasts until the end."""
        if self._failure_counts:
            self._log_summary("the database still fails at the end")

    def _note_failure(self, work: OperationKind, fault: StoreUnavailable) -> None:
        self._failed_at = self._clock()
        if not self._failure_counts:
            self._began = self._failed_at
            log.error("the database fails; what else fails is counted until it works again: %s", fault)
        self._failing.add(work)
        self._failure_counts[work] += 1
        self._unknown_outcomes += work is OperationKind.WRITE and isinstance(fault, OutcomeUnknown)

    def _note_success(self, work: OperationKind) -> None:
        self._failing.discard(work)
        if not self._failing and self._clock() - self._failed_at >= RECOVERY_SECONDS:
            self._log_summary("the database works again")

    def _log_summary(self, what: str) -> None:
        log.warning(
            "%s: in %.0f s %d reads and %d writes failed, %d of which may have been done",
            what,
            self._failed_at - self._began,
            self._failure_counts[OperationKind.READ],
            self._failure_counts[OperationKind.WRITE],
            self._unknown_outcomes,
        )
        self._failure_counts.clear()
        self._failing.clear()
        self._unknown_outcomes = 0
