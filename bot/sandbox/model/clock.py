"""The clock of the sandbox, which tests can advance instead of waiting."""

import asyncio
import time
from collections.abc import Callable


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
