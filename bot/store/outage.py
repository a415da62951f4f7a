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

CALM_SECONDS: Final = 5.0
"""An outage is over when everything works that failed, and nothing has failed for so long: on a full disk some fits."""


class Work(StrEnum):
    """What may fail by itself: a full disk can still be read."""

    READ = "read"
    WRITE = "write"


class Outage:
    """Counts what fails, so that whoever is told of it need not log it."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._broken: set[Work] = set()
        """What has failed and not worked since."""
        self._failed: Counter[Work] = Counter()
        self._unknown = 0
        self._began = self._failed_at = 0.0

    @contextmanager
    def noting(self, work: Work) -> Iterator[None]:
        """Note whether the database can do what the block asks of it."""
        try:
            yield
        except StoreUnavailable as fault:
            self._note_failure(work, fault)
            raise
        if self._failed:
            self._note_success(work)

    def close(self) -> None:
        """Log what has failed, if the outage lasts until the end."""
        if self._failed:
            self._tell("the database still fails at the end")

    def _note_failure(self, work: Work, fault: StoreUnavailable) -> None:
        self._failed_at = self._clock()
        if not self._failed:
            self._began = self._failed_at
            log.error("the database fails; what else fails is counted until it works again: %s", fault)
        self._broken.add(work)
        self._failed[work] += 1
        self._unknown += work is Work.WRITE and isinstance(fault, OutcomeUnknown)

    def _note_success(self, work: Work) -> None:
        self._broken.discard(work)
        if not self._broken and self._clock() - self._failed_at >= CALM_SECONDS:
            self._tell("the database works again")

    def _tell(self, what: str) -> None:
        log.warning(
            "%s: in %.0f s %d reads and %d writes failed, %d of which may have been done",
            what,
            self._failed_at - self._began,
            self._failed[Work.READ],
            self._failed[Work.WRITE],
            self._unknown,
        )
        self._failed.clear()
        self._broken.clear()
        self._unknown = 0
