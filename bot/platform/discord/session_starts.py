"""Keeps the bot within the number of sessions that Discord lets it begin in a day.

Beyond it, Discord resets the token.
"""

import asyncio
import logging
import math
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from bot.platform.clock import utc_now

log = logging.getLogger(__name__)

LOW_SHARE: Final = 0.1
"""From which part of its sessions on the bot starts more slowly, in case something restarts it again and again."""

LONGEST_PAUSE: Final = timedelta(minutes=15)
"""How long a start with few sessions left is put off: a day has fewer quarters of an hour than a tenth has sessions."""

_SHORTEST_WAIT: Final = timedelta(minutes=1)
_LONGEST_WAIT: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class StartLimit:
    """What Discord tells a bot that is about to connect."""

    shards: int = 1
    max_concurrency: int = 1
    total: int = 1000
    remaining: int = 1000
    reset_after: timedelta = timedelta(0)

    @property
    def is_low(self) -> bool:
        """Whether few sessions are left."""
        return self.remaining < self.total * LOW_SHARE

    def pause(self, needed: int) -> timedelta:
        """Return how long to wait before the sessions of a start are begun."""
        if self.remaining < min(needed, self.total):
            return self.until_reset
        paced = self.reset_after * needed / self.remaining if self.is_low else timedelta(0)
        return min(paced, LONGEST_PAUSE)

    @property
    def until_reset(self) -> timedelta:
        """How long to wait for the next day's sessions."""
        return max(self.reset_after, _SHORTEST_WAIT)


class SessionStarts:
    """Waits until Discord lets the bot begin as many sessions as it has shards."""

    def __init__(
        self,
        fetch: Callable[[], Awaitable[StartLimit]],
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        seconds: Callable[[], float] = time.monotonic,
        clock: Callable[[], datetime] = utc_now,
    ) -> None:
        self._fetch = fetch
        self._sleep = sleep
        self._seconds = seconds
        self._clock = clock
        self._told_until = -math.inf
        """Until when the log tells that lost sessions have to wait."""

    async def wait(self, shards: int | None) -> StartLimit:
        """Wait until the first sessions of some shards may be begun, and return what Discord has told.

        Args:
            shards: How many; None for those that Discord recommends.
        """
        while pause := (limit := await self._fetch()).pause(needed := shards or limit.shards):
            self._tell(limit, pause)
            await self._sleep(pause.total_seconds())
            if limit.remaining >= needed:
                # It was only slowed down.
                break
        return limit

    async def wait_for_one(self, reserved: Callable[[], int]) -> None:
        """Wait until a session may be begun in place of a lost one.

        Args:
            reserved: Tells how many sessions other shards are about to begin.
        """
        while (limit := await self._fetch()).remaining <= reserved():
            pause = _SHORTEST_WAIT if limit.remaining else limit.until_reset
            if not limit.remaining and self._told_until <= self._seconds():
                self._told_until = self._seconds() + pause.total_seconds()
                self._tell(limit, pause)
            await self._sleep(pause.total_seconds())

    def _tell(self, limit: StartLimit, pause: timedelta) -> None:
        log.warning(
            "Discord lets the bot begin %d more sessions until %s, of %d a day. It waits until %s, and then "
            "connects by itself",
            limit.remaining,
            _text(self._clock() + limit.reset_after),
            limit.total,
            _text(self._clock() + pause),
        )


def read_start_limit(answer: Any) -> StartLimit:
    """Return what `GET /gateway/bot` has answered, with the values of a small bot for what can't be read."""
    body = answer if isinstance(answer, dict) else {}
    limit = body.get("session_start_limit")
    starts, usual = limit if isinstance(limit, dict) else {}, StartLimit()
    read = StartLimit(
        shards=max(1, _whole(body.get("shards"), usual.shards)),
        max_concurrency=max(1, _whole(starts.get("max_concurrency"), usual.max_concurrency)),
        total=max(1, _whole(starts.get("total"), usual.total)),
        remaining=_whole(starts.get("remaining"), usual.remaining),
        reset_after=min(timedelta(milliseconds=min(_whole(starts.get("reset_after"), 0), 10**12)), _LONGEST_WAIT),
    )
    if "shards" not in body or not starts:
        log.warning(
            "Discord's answer about connecting is incomplete; assuming the values of a small bot for what is missing"
        )
    return read


def _whole(value: object, default: int) -> int:
    """Return a number that is not negative, or the default."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else default


def _text(moment: datetime) -> str:
    return moment.isoformat(" ", "seconds")
