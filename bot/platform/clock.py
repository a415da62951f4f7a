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
    """A period in which nobody could act, because the bot did not run or the clock jumped."""

    since: datetime
    until: datetime
    shards: ShardRange = ALL_SHARDS
    """The shards of the affected servers."""

    def part_after(self, moment: datetime) -> timedelta:
        """Return the length of the part after a moment."""
        return max(self.until - max(self.since, moment), timedelta())


def merge(downtimes: Iterable[Downtime]) -> list[Downtime]:
    """Return the periods with downtime of any shard, in order and without overlaps."""
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
    """The system clock, with a measure of elapsed time that excludes downtime.

    A forward jump means that the clock was corrected or the machine was suspended, so `ago` does not count it.
    A backward jump only makes earlier times look more recent.
    """

    def __init__(self, wall: Callable[[], datetime] = utc_now, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._wall = wall
        self._monotonic = monotonic
        self._last_reading = wall(), monotonic()
        self._downtimes: list[Downtime] = []
        """Periods of downtime, in order and without overlaps."""

    def __call__(self) -> datetime:
        """Return the current time in UTC, and note a jump since the previous reading."""
        now, ticks = self._wall(), self._monotonic()
        earlier, ticks_then = self._last_reading
        due = earlier + min(timedelta(seconds=ticks - ticks_then), _MAX_GAP)
        self._last_reading = now, ticks
        while self._downtimes and self._downtimes[-1].until > now:
            # The clock was set back to a time before the downtime's end.
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
        """Exclude downtime, parts of which may be known already as jumps of the clock."""
        now, _ = self._last_reading
        # Downtimes are noted by the database's clock, which may be ahead of this one.
        told = [Downtime(each.since, min(each.until, now)) for each in downtimes if each.since < now]
        self._downtimes = merge([*self._downtimes, *told])
