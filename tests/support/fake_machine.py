"""A machine with a clock, which tests set."""

from datetime import datetime, timedelta

from bot.platform.clock import Clock

SECOND = timedelta(seconds=1)


class FakeMachine:
    """A machine whose clock can be set, and which can be put to sleep."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.ticks = 1000.0
        self.clock = Clock(lambda: self.now, lambda: self.ticks)

    def run(self, span: timedelta) -> None:
        """Let time pass while the host reads the clock every few seconds, as it does."""
        while span > timedelta():
            self._advance(min(span, 5 * SECOND))
            self.clock()
            span -= 5 * SECOND

    def set(self, by: timedelta) -> None:
        """Set the clock forward, or back; no time passes. A machine whose ticks stop in its sleep wakes up so."""
        self.now += by

    def sleep(self, span: timedelta) -> None:
        """Sleep as a process does that is stopped: the ticks go on without it."""
        self._advance(span)

    def _advance(self, span: timedelta) -> None:
        self.now += span
        self.ticks += span.total_seconds()
