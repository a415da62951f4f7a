"""The time of day, and how long ago something was."""

import logging
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final, Protocol

log = logging.getLogger(__name__)

_SMALLEST_LEAP: Final = timedelta(seconds=1)
"""What is less than this between two readings is drift, or a clock that is being adjusted gently."""

_LONGEST_GAP: Final = timedelta(minutes=1)
"""The host reads the clock every few seconds: when nobody has for so long, the process was not running."""

_MOST_LEAPS: Final = 256


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
class _Leap:
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
        self._latest = wall(), monotonic()
        self._leaps: deque[_Leap] = deque(maxlen=_MOST_LEAPS)

    def __call__(self) -> datetime:
        """Return the present moment, and note whether the clock has leapt since it was read before."""
        now, ticks = self._wall(), self._monotonic()
        earlier, ticks_then = self._latest
        due = earlier + min(timedelta(seconds=ticks - ticks_then), _LONGEST_GAP)
        self._latest = now, ticks
        while self._leaps and self._leaps[-1].after > now:
            # It was set back to before it had leapt.
            self._leaps.pop()
        if now - due >= _SMALLEST_LEAP:
            self._leaps.append(_Leap(due, now))
            log.warning("the clock has leapt forward by %s, which does not count as time that has passed", now - due)
        return now

    def ago(self, span: timedelta) -> datetime:
        """Return the moment since which so much time has passed, without what the clock has leapt over."""
        moment = self()
        for leap in reversed(self._leaps):
            since_leap = moment - leap.after
            if since_leap >= span:
                break
            moment, span = leap.before, span - since_leap
        return moment - span
