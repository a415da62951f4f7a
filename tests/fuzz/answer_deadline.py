"""How long an answer may take, by what a thread beside the bot gets done meanwhile.

Discord waits three seconds. On a machine that has no time for the bot, or whose disk has none, seconds say nothing:
there the thread gets as little done as the bot. A bot that keeps its own event loop waiting does not stop the thread.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event, Thread
from typing import Self

ROUND_SECONDS = 0.01
MAX_ROUNDS = 300
"""The number of rounds in three seconds of an idle machine."""

_ROUNDS_WITHOUT_WRITES = 30
"""An answer that takes more rounds may wait for the disk, which each further round writes to as well."""


class AnswerDeadline:
    """Counts rounds: short sleeps, and a small write to the disk where an answer takes long."""

    def __init__(self, file: Path, sleep: Callable[[float], None] = time.sleep) -> None:
        self._file = file
        self._sleep = sleep
        self._rounds = self._started_at = 0
        self._stopped = Event()
        self._thread = Thread(target=self._count, name="patience", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopped.set()
        self._thread.join()

    def restart(self) -> None:
        """Restart the count."""
        self._started_at = self._rounds

    @property
    def rounds(self) -> int:
        """How many rounds there were since then."""
        return self._rounds - self._started_at

    @property
    def is_over(self) -> bool:
        """Whether an answer that comes now is too late."""
        return self.rounds >= MAX_ROUNDS

    def _count(self) -> None:
        with self._file.open("wb", buffering=0) as written:
            while not self._stopped.is_set():
                self._sleep(ROUND_SECONDS)
                if self.rounds > _ROUNDS_WITHOUT_WRITES:
                    written.write(b".")
                    os.fsync(written.fileno())
                self._rounds += 1
