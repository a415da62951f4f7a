"""Keeps the bot's requests within Discord's limits: one budget for all of them, spent on the most urgent first."""

import asyncio
from collections.abc import AsyncIterator, Hashable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import heappop, heappush
from itertools import count
from typing import Final

from bot.ui.delivery.invalid_requests import InvalidRequests

_WINDOW_SECONDS: Final = 1.0
_INVALID_STATUSES: Final = (401, 403, 429)
_MIN_BUCKETS: Final = 1000


class Urgency(IntEnum):
    """What is sent first when not everything can be sent at once."""

    CONNECTION = 0
    """What the library asks for to be connected."""
    EDIT = 1
    """A table that has just changed."""
    POST = 2
    REFRESH = 3
    """A table that could not be shown before, or that has not changed but is to look different."""
    REMINDER = 4
    DELETION = 5


@dataclass(slots=True)
class Bucket:
    """What is left of the limit of one address, as far as answers have told."""

    limit: int = 1
    remaining: int = 1
    in_flight: int = 0
    resets_at: float | None = None
    """When all of it may be used again, if that is known."""
    closed_until: float = 0.0
    """Nothing may be sent before, because something was refused."""
    parked: "list[_Waiter]" = field(default_factory=list)

    def take(self, now: float) -> bool:
        """Take the right to send one request, if there is one."""
        if self.resets_at is not None and self.resets_at <= now:
            self.remaining, self.resets_at = self.limit - self.in_flight, None
        if self.resets_at is None and not self.in_flight:
            # Where nothing is known of a limit one request after the other is safe.
            self.remaining = max(self.remaining, 1)
        if self.remaining <= 0 or now < self.closed_until:
            return False
        self.remaining -= 1
        self.in_flight += 1
        return True

    def update(self, now: float, headers: Mapping[str, str]) -> None:
        """Take in what an answer tells of the limit, if it does; its request is no longer outgoing."""
        remaining, reset_after = headers.get("X-RateLimit-Remaining"), headers.get("X-RateLimit-Reset-After")
        if remaining is None or reset_after is None:
            return
        left = int(remaining) - self.in_flight
        # Answers may overtake each other: within one stretch of time there is never more left than before.
        self.remaining = left if self.resets_at is None else min(self.remaining, left)
        self.limit = int(headers.get("X-RateLimit-Limit", 1))
        self.resets_at = now + float(reset_after)

    def opens_at(self) -> float | None:
        """Return when it may be open again; None if that is up to an answer which is awaited."""
        renewed_at = (self.resets_at or 0.0) if self.remaining <= 0 else 0.0
        return max(renewed_at, self.closed_until) or None

    def is_idle(self, now: float) -> bool:
        """Tell whether it can be forgotten."""
        return not (self.in_flight or self.parked) and max(self.resets_at or 0.0, self.closed_until) <= now


@dataclass(slots=True)
class _Waiter:
    """Somebody who wants to send a request."""

    bucket: Bucket
    urgency: Urgency
    number: int
    granted: "asyncio.Future[None]"

    def __lt__(self, other: "_Waiter") -> bool:
        return (self.urgency, self.number) < (other.urgency, other.number)


@dataclass(slots=True)
class Permit:
    """The right to send one request now, and what has come of it."""

    headers: Mapping[str, str] = field(default_factory=dict)
    is_used: bool = False
    retry_after: float | None = None
    """For how long Discord wants no more of such requests."""
    is_global: bool = False
    """Whether it wants no more of any."""


class RateLimiter:
    """Lets requests with the bot's token go when Discord takes them."""

    def __init__(self) -> None:
        self._invalid_requests = InvalidRequests()
        self._numbers = count()
        self._queue: list[_Waiter] = []
        self._buckets: dict[Hashable, Bucket] = {}
        self._max_buckets = _MIN_BUCKETS
        self._in_use = 0
        self._paused_until = 0.0

    @asynccontextmanager
    async def permit(self, address: Hashable, urgency: Urgency) -> AsyncIterator[Permit]:
        """Wait until a request to an address may be sent; whoever has the permit sends one, or none.

        What is sent without an address has no limit of its own that is minded here.
        """
        bucket = self._bucket(address)
        waiter = _Waiter(bucket, urgency, next(self._numbers), asyncio.get_running_loop().create_future())
        heappush(self._queue, waiter)
        self._grant_permits()
        try:
            await waiter.granted
        except BaseException:
            if waiter.granted.done() and not waiter.granted.cancelled():
                self._release(bucket, Permit())
            raise
        permit = Permit()
        try:
            yield permit
        finally:
            self._release(bucket, permit)

    def note_status(self, status: int, headers: Mapping[str, str]) -> None:
        """Count an answer that Discord holds against the bot, whatever the request was sent with."""
        if status in _INVALID_STATUSES and headers.get("X-RateLimit-Scope") != "shared":
            self._invalid_requests.note(_now())

    def invalid_requests(self) -> int:
        """Return how many requests of the last ten minutes were refused with 401, 403 or 429."""
        return self._invalid_requests.count(_now())

    def waiting_requests(self) -> int:
        """Return how many requests wait until they may be sent."""
        parked = sum(len(bucket.parked) for bucket in self._buckets.values())
        return len(self._queue) + parked

    def _bucket(self, address: Hashable) -> Bucket:
        if address is None:
            return Bucket()
        bucket = self._buckets.get(address)
        if bucket is None:
            self._drop_idle_buckets()
            bucket = self._buckets[address] = Bucket()
        return bucket

    def _drop_idle_buckets(self) -> None:
        if len(self._buckets) >= self._max_buckets:
            now = _now()
            self._buckets = {key: each for key, each in self._buckets.items() if not each.is_idle(now)}
            self._max_buckets = max(_MIN_BUCKETS, 2 * len(self._buckets))

    def _grant_permits(self) -> None:
        """Let the most urgent requests go whose address is open."""
        now = _now()
        most = self._invalid_requests.pace(now)
        while self._queue and self._in_use < most and not self._paused_until:
            waiter = heappop(self._queue)
            if waiter.granted.done():
                continue  # It has been cancelled.
            if waiter.bucket.take(now):
                self._in_use += 1
                waiter.granted.set_result(None)
            else:
                self._park(waiter, now)

    def _park(self, waiter: _Waiter, now: float) -> None:
        """Set a request aside until its address is open again, so that the others need not look at it."""
        bucket = waiter.bucket
        opens_at = bucket.opens_at()
        if not bucket.parked and opens_at is not None and opens_at > now:
            asyncio.get_running_loop().call_later(opens_at - now, self._reopen, bucket)
        bucket.parked.append(waiter)

    def _reopen(self, bucket: Bucket) -> None:
        parked, bucket.parked = bucket.parked, []
        for waiter in parked:
            heappush(self._queue, waiter)
        self._grant_permits()

    def _release(self, bucket: Bucket, permit: Permit) -> None:
        now = _now()
        bucket.in_flight -= 1
        if not permit.is_used:
            bucket.remaining += 1
            self._in_use -= 1
        else:
            bucket.update(now, permit.headers)
            # Whenever in between Discord has counted the request, no second has more of them than there are permits.
            asyncio.get_running_loop().call_later(_WINDOW_SECONDS, self._free_slot)
        if permit.retry_after is not None:
            self._pause(bucket, now + permit.retry_after, is_global=permit.is_global)
        self._reopen(bucket)

    def _pause(self, bucket: Bucket, until: float, *, is_global: bool) -> None:
        if not is_global:
            bucket.closed_until = max(bucket.closed_until, until)
        elif until > self._paused_until:
            self._paused_until = until
            asyncio.get_running_loop().call_later(until - _now(), self._resume, until)

    def _resume(self, paused_until: float) -> None:
        if self._paused_until == paused_until:
            self._paused_until = 0.0
            self._grant_permits()

    def _free_slot(self) -> None:
        self._in_use -= 1
        self._grant_permits()


def _now() -> float:
    return asyncio.get_running_loop().time()
