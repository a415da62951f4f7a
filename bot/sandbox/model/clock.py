"""The time of the sandbox, which tests set forward instead of waiting."""

import asyncio
import time
from collections.abc import Callable


class Alarm:
    """Something that will happen, unless it is called off."""

    def __init__(self, due: float, happen: Callable[[], None]) -> None:
        self.due = due
        self.happen = happen
        self.handle: asyncio.TimerHandle | None = None


class Clock:
    """Runs like every clock, and can be set forward."""

    def __init__(self) -> None:
        self._ahead = 0.0
        self._alarms: dict[Alarm, None] = {}

    def now(self) -> float:
        """Return seconds since some point in the past."""
        return time.monotonic() + self._ahead

    def wall(self) -> float:
        """Return seconds since 1970."""
        return time.time() + self._ahead

    def set_alarm(self, seconds: float, happen: Callable[[], None]) -> Alarm:
        """Let something happen after so many seconds."""
        alarm = Alarm(self.now() + seconds, happen)
        self._alarms[alarm] = None
        self._wind(alarm)
        return alarm

    def call_off(self, alarm: Alarm) -> None:
        """Let it not happen; too late is no fault."""
        self._alarms.pop(alarm, None)
        if alarm.handle is not None:
            alarm.handle.cancel()

    def advance(self, seconds: float) -> None:
        """Set the clock forward; what is due by then happens at once, in order."""
        self._ahead += seconds
        for alarm in sorted(self._alarms, key=lambda each: each.due):
            if alarm.due <= self.now():
                self._ring(alarm)
            else:
                self._wind(alarm)

    def _wind(self, alarm: Alarm) -> None:
        if alarm.handle is not None:
            alarm.handle.cancel()
        alarm.handle = asyncio.get_running_loop().call_later(alarm.due - self.now(), self._ring, alarm)

    def _ring(self, alarm: Alarm) -> None:
        if alarm in self._alarms:
            self.call_off(alarm)
            alarm.happen()
