"""A clock for waiting times that ignores jumps of the system clock."""

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

log = logging.getLogger(__name__)

_MIN_JUMP: Final = timedelta(seconds=1)
"""Smaller differences between two readings are drift or gradual adjustment."""

_MAX_GAP: Final = timedelta(minutes=1)
"""The host reads the clock every few seconds; a longer gap means that the process was suspended."""

_MAX_JUMPS: Final = 256


class Clock(Protocol):
    """Measures the time of day, and how long ago something happened."""

    def __call__(self) -> datetime:
        """Return the current time in UTC."""

    def ago(self, span: timedelta) -> datetime:
        """Return the time that was `span` ago."""


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class _ClockJump:
    before: datetime
    after: datetime


class SystemClock:
    """The system clock, without the time it jumped over.

    A forward jump means that the clock was corrected or the machine was suspended, so `ago` does not count it.
    A backward jump only makes earlier times look more recent.
    """

    def __init__(self, wall: Callable[[], datetime] = utc_now, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._last_reading = wall(), monotonic()
        self._jumps: deque[_ClockJump] = deque(maxlen=_MAX_JUMPS)

    def __call__(self) -> datetime:
        """Return the current time in UTC, and note a jump since the previous reading."""
        now, ticks = self._wall(), self._monotonic()
        earlier, ticks_then = self._last_reading
        due = earlier + min(timedelta(seconds=ticks - ticks_then), _MAX_GAP)
        self._last_reading = now, ticks
        while self._jumps and self._jumps[-1].after > now:
            # The clock was set back to before this jump.
            self._jumps.pop()
        if now - due >= _MIN_JUMP:
            self._jumps.append(_ClockJump(due, now))
            log.warning("the clock jumped forward by %s, which does not count as waiting time", now - due)
        return now

    def ago(self, span: timedelta) -> datetime:
        """Return the time that was `span` ago, not counting jumps."""
        moment = self()
        for jump in reversed(self._jumps):
            since_jump = moment - jump.after
            if since_jump >= span:
                break
            moment, span = jump.before, span - since_jump
        return moment - span
