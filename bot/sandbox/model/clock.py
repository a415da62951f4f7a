"""The time of the sandbox, which tests set forward instead of waiting."""

import asyncio
import time
from collections.abc import Callable


class Timer:
    """Something that will happen, unless it is called off."""

    def __init__(self, due: float, happen: Callable[[], None]) -> None:
        self.due = due
        self.callback = happen
        self.handle: asyncio.TimerHandle | None = None


class Clock:
    """Runs like every clock, and can be set forward."""

    def __init__(self) -> None:
        self._offset = 0.0
        self._timers: dict[Timer, None] = {}

    def now(self) -> float:
        """Return seconds since some point in the past."""
        return time.monotonic() + self._offset

    def wall_time(self) -> float:
        """Return seconds since 1970."""
        return time.time() + self._offset

    def call_later(self, seconds: float, happen: Callable[[], None]) -> Timer:
        """Let something happen after so many seconds."""
        alarm = Timer(self.now() + seconds, happen)
        self._timers[alarm] = None
        self._schedule(alarm)
        return alarm

    def cancel(self, alarm: Timer) -> None:
        """Let it not happen; too late is no fault."""
        self._timers.pop(alarm, None)
        if alarm.handle is not None:
            alarm.handle.cancel()

    def advance(self, seconds: float) -> None:
        """Set the clock forward; what is due by then happens at once, in order."""
        self._offset += seconds
        for alarm in sorted(self._timers, key=lambda each: each.due):
            if alarm.due <= self.now():
                self._fire(alarm)
            else:
                self._schedule(alarm)

    def _schedule(self, alarm: Timer) -> None:
        if alarm.handle is not None:
            alarm.handle.cancel()
        alarm.handle = asyncio.get_running_loop().call_later(alarm.due - self.now(), self._fire, alarm)

    def _fire(self, alarm: Timer) -> None:
        if alarm in self._timers:
            self.cancel(alarm)
            alarm.callback()
