"""The clock of the sandbox, which tests can advance instead of waiting, and snowflakes: ids that grow with time."""

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any


class Timer:
    """A scheduled callback."""

    def __init__(self, due: float, callback: Callable[[], None]) -> None:
        self.due = due
        self.callback = callback
        self.handle: asyncio.TimerHandle | None = None


class Clock:
    """A clock that can be advanced."""

    def __init__(self) -> None:
        self._offset = 0.0
        self._timers: dict[Timer, None] = {}

    def now(self) -> float:
        """Return monotonic seconds."""
        return time.monotonic() + self._offset

    def wall_time(self) -> float:
        """Return seconds since 1970."""
        return time.time() + self._offset

    def call_later(self, seconds: float, callback: Callable[[], None]) -> Timer:
        """Schedule a callback."""
        timer = Timer(self.now() + seconds, callback)
        self._timers[timer] = None
        self._schedule(timer)
        return timer

    def cancel(self, timer: Timer) -> None:
        """Cancel a timer, unless it has already fired."""
        self._timers.pop(timer, None)
        if timer.handle is not None:
            timer.handle.cancel()

    def advance(self, seconds: float) -> None:
        """Advance the clock; timers that are due by then fire at once, in order."""
        self._offset += seconds
        for timer in sorted(self._timers, key=lambda each: each.due):
            if timer.due <= self.now():
                self._fire(timer)
            else:
                self._schedule(timer)

    def _schedule(self, timer: Timer) -> None:
        if timer.handle is not None:
            timer.handle.cancel()
        timer.handle = asyncio.get_running_loop().call_later(timer.due - self.now(), self._fire, timer)

    def _fire(self, timer: Timer) -> None:
        if timer in self._timers:
            self.cancel(timer)
            timer.callback()


EPOCH_MS = 1_420_070_400_000
"""The first millisecond of 2015, Discord's epoch."""

_TIME_SHIFT = 22
_DIGITS = 20


class SnowflakeGenerator:
    """Generates ids, each greater than the one before."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        self._clock = clock
        self._last = 0

    def next_id(self) -> int:
        """Return the next id."""
        earliest = (int(self._clock() * 1000) - EPOCH_MS) << _TIME_SHIFT
        self._last = max(self._last + 1, earliest)
        return self._last


def creation_timestamp(snowflake: int) -> str:
    """Return the creation time of an id in ISO 8601."""
    return format_iso(((snowflake >> _TIME_SHIFT) + EPOCH_MS) / 1000)


def format_iso(seconds: float) -> str:
    """Return a Unix time in ISO 8601."""
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def parse_snowflake(value: Any) -> int:
    """Return an id, or 0 if the value is none."""
    # Tests may pass people, roles and channels instead of their ids.
    raw = str(getattr(value, "id", value))
    return int(raw) if raw.isdecimal() and len(raw) <= _DIGITS else 0
