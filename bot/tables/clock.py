"""The time of day, and how long ago something was."""

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

log = logging.getLogger(__name__)

_MIN_JUMP: Final = timedelta(seconds=1)
"""What is less than this between two readings is drift, or a clock that is being adjusted gently."""

_MAX_GAP: Final = timedelta(minutes=1)
"""The host reads the clock every few seconds: when nobody has for so long, the process was not running."""

_MAX_JUMPS: Final = 256


class Clock(Protocol):
    """Tells the time of day, which stands with tables, and since when something has lasted for how long."""

    def __call__(self) -> datetime:
        """Return the present moment."""
        ...

    def ago(self, span: timedelta) -> datetime:
        """Return the moment since which so much time has passed."""
        ...


def utc_now() -> datetime:
    """Return the present moment."""
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class _ClockJump:
    before: datetime
    after: datetime


class SystemClock:
    """The clock of this machine, which may be set forward or back while nobody has waited any longer or shorter.

    What it leaps over while this process lives does not count as time that has passed: it was set right, or the machine
    slept and nobody could play. A clock that is set back only makes what was noted before look younger than it is.
    """

    def __init__(self, wall: Callable[[], datetime] = utc_now, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._last_reading = wall(), monotonic()
        self._jumps: deque[_ClockJump] = deque(maxlen=_MAX_JUMPS)

    def __call__(self) -> datetime:
        """Return the present moment, and note whether the clock has leapt since it was read before."""
        now, ticks = self._wall(), self._monotonic()
        earlier, ticks_then = self._last_reading
        due = earlier + min(timedelta(seconds=ticks - ticks_then), _MAX_GAP)
        self._last_reading = now, ticks
        while self._jumps and self._jumps[-1].after > now:
            # It was set back to before it had leapt.
            self._jumps.pop()
        if now - due >= _MIN_JUMP:
            self._jumps.append(_ClockJump(due, now))
            log.warning("the clock has leapt forward by %s, which does not count as time that has passed", now - due)
        return now

    def ago(self, span: timedelta) -> datetime:
        """Return the moment since which so much time has passed, without what the clock has leapt over."""
        moment = self()
        for leap in reversed(self._jumps):
            since_leap = moment - leap.after
            if since_leap >= span:
                break
            moment, span = leap.before, span - since_leap
        return moment - span
