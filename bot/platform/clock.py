"""A clock for waiting times that ignores jumps of the system clock."""

import logging
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from bot.platform.places import ALL_SHARDS, ShardRange

log = logging.getLogger(__name__)

_MIN_JUMP: Final = timedelta(seconds=1)
"""Smaller differences between two readings are drift or gradual adjustment."""

_MAX_GAP: Final = timedelta(minutes=1)
"""The host reads the clock every few seconds; a longer gap means that the process was suspended."""


@dataclass(frozen=True, slots=True, order=True)
class Downtime:
    """A time in which nobody could do anything, because the bot did not run or the clock jumped over it."""

    since: datetime
    until: datetime
    shards: ShardRange = ALL_SHARDS
    """Whose servers nobody could play in."""

    def part_after(self, moment: datetime) -> timedelta:
        """Return how much of it was after a moment."""
        return max(self.until - max(self.since, moment), timedelta())


def merge(downtimes: Iterable[Downtime]) -> list[Downtime]:
    """Return the times in which there was any downtime, wherever, in order; none overlaps another."""
    merged = list[Downtime]()
    for each in sorted(downtimes):
        if merged and each.since <= merged[-1].until:
            merged[-1] = Downtime(merged[-1].since, max(merged[-1].until, each.until))
        else:
            merged.append(Downtime(each.since, each.until))
    return merged


def utc_now() -> datetime:
    """Return the current time in UTC."""
    return datetime.now(UTC)


class Clock:
    """The system clock, which tells how long ago something was without counting downtime.

    A forward jump means that the clock was corrected or the machine was suspended, so `ago` does not count it.
    A backward jump only makes earlier times look more recent.
    """

    def __init__(self, wall: Callable[[], datetime] = utc_now, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._last_reading = wall(), monotonic()
        self._downtimes: list[Downtime] = []
        """In order; none overlaps another."""

    def __call__(self) -> datetime:
        """Return the current time in UTC, and note a jump since the previous reading."""
        now, ticks = self._wall(), self._monotonic()
        earlier, ticks_then = self._last_reading
        due = earlier + min(timedelta(seconds=ticks - ticks_then), _MAX_GAP)
        self._last_reading = now, ticks
        while self._downtimes and self._downtimes[-1].until > now:
            # The clock was set back to before its end.
            self._downtimes.pop()
        if now - due >= _MIN_JUMP:
            self.leave_out([Downtime(due, now)])
            log.warning("the clock jumped forward by %s, which does not count as waiting time", now - due)
        return now

    def ago(self, span: timedelta) -> datetime:
        """Return the time that was `span` ago, not counting downtime."""
        moment = self()
        for downtime in reversed(self._downtimes):
            since_then = moment - downtime.until
            if since_then >= span:
                break
            moment, span = downtime.since, span - since_then
        return moment - span

    def leave_out(self, downtimes: Iterable[Downtime]) -> None:
        """Learn of downtime; some of it may be known already, as a jump of the clock."""
        now, _ = self._last_reading
        # The database's clock, by which downtimes are noted, may be ahead of this one.
        told = [Downtime(each.since, min(each.until, now)) for each in downtimes if each.since < now]
        self._downtimes = merge([*self._downtimes, *told])
