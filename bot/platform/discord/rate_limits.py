"""Rate limits: holds requests back after a 429, and before too many invalid ones make Discord ban the bot.

After a 429 to one of the bot's own requests, `MessageClient` (`http.py`) notes on the request's `Permit` how long to
wait. `RateLimiter._release` then pauses the channel, or everything, and `send_with_retries` sends the request again.
Messages of tables are not sent again: the publisher shows the newest table later. For requests of discord.py, which
sends them again itself, `LibraryRequestLimiter` pauses everything after a global 429. Answers to interactions
(`interaction_responses.py`) have no limit of their own: a 429 is counted, and the table is shown by an edit instead.
"""

import asyncio
import logging
import math
import re
from collections import deque
from collections.abc import AsyncIterator, Hashable, Iterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from enum import IntEnum
from heapq import heappop, heappush
from itertools import chain, count
from types import SimpleNamespace
from typing import Final

import aiohttp
import discord
import yarl

from bot.platform.observability.metrics import Metrics, Token

log = logging.getLogger(__name__)

USUAL_PACE: Final = 45
"""Requests per second with the bot's token; Discord's limit is 50."""

_REDUCED_PACES: Final = ((4000, 1), (1000, 10))
"""Pairs of invalid requests in ten minutes, and the requests per second from then on; Discord bans at 10,000."""

_WINDOW_SECONDS: Final = 600.0


class InvalidRequests:
    """Counts the responses with status 401, 403 or 429 in the last ten minutes.

    Discord counts all processes together, so each process slows down at its share of the limits.
    """

    def __init__(self) -> None:
        self._times: deque[float] = deque()
        self._is_slow = False

    def note(self, now: float, share: float) -> None:
        """Count an invalid request, and log if the bot slows down because of it."""
        self._times.append(now)
        if not self._is_slow and self.pace(now, share) < USUAL_PACE:
            self._is_slow = True
            log.warning(
                "Discord has refused %d requests in ten minutes (401, 403 or 429): the bot slows down, because it would"
                " be banned at 10,000",
                len(self._times),
            )

    def count(self, now: float) -> int:
        """Return the number of invalid requests in the last ten minutes."""
        while self._times and self._times[0] <= now - _WINDOW_SECONDS:
            self._times.popleft()
        return len(self._times)

    def pace(self, now: float, share: float) -> int:
        """Return the requests per second for all processes together, as far as this process knows."""
        invalid = self.count(now)
        pace = next((pace for threshold, pace in _REDUCED_PACES if invalid >= threshold * share), USUAL_PACE)
        if self._is_slow and pace == USUAL_PACE:
            self._is_slow = False
            log.info("requests are sent at the usual pace again")
        return pace


MAX_WAIT_SECONDS: Final = 3600.0
"""The longest wait at Discord's request; afterwards the bot asks again."""

_RATE_LIMIT_WINDOW_SECONDS: Final = 1.0
_INVALID_STATUSES: Final = (401, 403, 429)
_MIN_BUCKETS: Final = 1000

_IDS: Final = re.compile(r"(?<=/)\d+")
_TOKENS: Final = re.compile(r"^(/(?:interactions|webhooks)/\{id\})/[^/]+")
_SHORTENED: Final = r"\1/{token}"


def route_of(method: str, path: str) -> str:
    """Return a request's route, with placeholders for ids and tokens to keep the number of routes small."""
    path = _IDS.sub("{id}", path.removeprefix(yarl.URL(discord.http.Route.BASE).path))
    return f"{method} {_TOKENS.sub(_SHORTENED, path)}"


def retry_after(headers: Mapping[str, str], default: float) -> float:
    """Return the seconds in the Retry-After header, or the default if the header is missing or a date."""
    return seconds_of(headers.get("Retry-After"), default)


def seconds_of(value: object, default: float) -> float:
    """Return a number of seconds sent by Discord, at most `MAX_WAIT_SECONDS`; the default if it is invalid."""
    try:
        seconds = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        return default
    return min(seconds, MAX_WAIT_SECONDS) if math.isfinite(seconds) and seconds >= 0 else default


class Urgency(IntEnum):
    """The order in which waiting requests are sent."""

    CONNECTION = 0
    """discord.py's own requests, which keep the bot connected."""
    EDIT = 1
    """A table that has just changed."""
    POST = 2
    REFRESH = 3
    """A table that could not be shown before, or that only looks different now."""
    REMINDER = 4
    DELETION = 5


@dataclass(slots=True)
class Bucket:
    """The rate limit of one route, as known from responses."""

    limit: int = 1
    remaining: int = 1
    in_flight: int = 0
    resets_at: float | None = None
    """When `remaining` returns to `limit`, if known."""
    closed_until: float = 0.0
    """The time until which requests must wait after a refusal."""
    parked: "list[_Waiter]" = field(default_factory=list)

    def take(self, now: float) -> bool:
        """Reserve one request; return False if none is left."""
        if self.resets_at is not None and self.resets_at <= now:
            self.remaining, self.resets_at = self.limit - self.in_flight, None
        if self.resets_at is None and not self.in_flight:
            # While the limit is unknown, sending one request at a time is safe.
            self.remaining = max(self.remaining, 1)
        if self.remaining <= 0 or now < self.closed_until:
            return False
        self.remaining -= 1
        self.in_flight += 1
        return True

    def update(self, now: float, headers: Mapping[str, str]) -> None:
        """Update the limit from the headers of a response; its request is no longer in flight."""
        remaining, limit = headers.get("X-RateLimit-Remaining", ""), headers.get("X-RateLimit-Limit", "1")
        reset_after = seconds_of(headers.get("X-RateLimit-Reset-After"), -1)
        if not remaining.isdecimal() or not limit.isdecimal() or reset_after < 0:
            return
        left = int(remaining) - self.in_flight
        # Responses may arrive out of order, but the remaining number never grows within a window.
        self.remaining = left if self.resets_at is None else min(self.remaining, left)
        self.limit = int(limit)
        self.resets_at = now + reset_after

    def opens_at(self) -> float | None:
        """Return when the next request may be sent; None if the time depends on a pending response."""
        renewed_at = (self.resets_at or 0.0) if self.remaining <= 0 else 0.0
        return max(renewed_at, self.closed_until) or None

    def is_idle(self, now: float) -> bool:
        """Return whether the bucket can be dropped."""
        return not (self.in_flight or self.parked) and max(self.resets_at or 0.0, self.closed_until) <= now


@dataclass(slots=True)
class _Waiter:
    """A request waiting for its permit."""

    bucket: Bucket
    urgency: Urgency
    number: int
    asked_at: float
    granted: "asyncio.Future[None]"

    def __lt__(self, other: "_Waiter") -> bool:
        return (self.urgency, self.number) < (other.urgency, other.number)


@dataclass(slots=True)
class Permit:
    """The permit to send one request now, and the result of that request."""

    headers: Mapping[str, str] = field(default_factory=dict)
    is_used: bool = False
    retry_after: float | None = None
    """Seconds until Discord accepts requests of this route."""
    is_global: bool = False
    """Whether Discord refuses all requests for that time."""


class RateLimiter:
    """Grants permits for requests with the bot's token."""

    def __init__(self, metrics: Metrics | None = None) -> None:
        self._metrics = metrics or Metrics()
        self._invalid_requests = InvalidRequests()
        self._numbers = count()
        self._queue: list[_Waiter] = []
        self._buckets: dict[Hashable, Bucket] = {}
        self._max_buckets = _MIN_BUCKETS
        self.share = 1.0
        """This process's share of the bot's budget."""
        self.is_halved = False
        """Whether another process serves the same shards for now and has half of the share."""
        self.in_use = 0
        self._paused_until = 0.0

    @asynccontextmanager
    async def permit(self, route: Hashable, urgency: Urgency) -> AsyncIterator[Permit]:
        """Wait until a request may be sent; the holder of the permit sends at most one request.

        Args:
            route: Identifies the route; None if only the global limit applies.
            urgency: Decides which waiting request goes first.
        """
        bucket = self._bucket(route)
        waiter = _Waiter(bucket, urgency, next(self._numbers), _now(), asyncio.get_running_loop().create_future())
        heappush(self._queue, waiter)
        self._grant_permits()
        try:
            await waiter.granted
        except BaseException:
            if not waiter.granted.cancelled():
                self._release(bucket, Permit())
            raise
        self._metrics.observe_request_wait(urgency.name.lower(), _now() - waiter.asked_at)
        permit = Permit()
        try:
            yield permit
        finally:
            self._release(bucket, permit)

    def note_response(self, method: str, path: str, status: int, headers: Mapping[str, str]) -> None:
        """Count a response to a request with any token; invalid requests slow the bot down."""
        route = route_of(method, path)
        self._metrics.count_response(Token.INTERACTION if "{token}" in route else Token.BOT, route, status)
        if status in _INVALID_STATUSES and headers.get("X-RateLimit-Scope") != "shared":
            self._invalid_requests.note(_now(), self.share)

    def invalid_requests(self) -> int:
        """Return the number of responses with status 401, 403 or 429 in the last ten minutes."""
        return self._invalid_requests.count(_now())

    def waiting_requests(self) -> int:
        """Return the number of requests waiting for a permit."""
        return sum(1 for _ in self._waiters())

    def oldest_seconds(self) -> float:
        """Return how many seconds the oldest request has waited for a permit; 0 if none is waiting."""
        now = _now()
        return now - min((waiter.asked_at for waiter in self._waiters()), default=now)

    def _waiters(self) -> Iterator[_Waiter]:
        """Return the waiting requests, without abandoned ones."""
        parked = chain.from_iterable(bucket.parked for bucket in self._buckets.values())
        return (waiter for waiter in chain(self._queue, parked) if not waiter.granted.done())

    def _bucket(self, route: Hashable) -> Bucket:
        if route is None:
            return Bucket()
        bucket = self._buckets.get(route)
        if bucket is None:
            if len(self._buckets) >= self._max_buckets:
                now = _now()
                self._buckets = {key: known for key, known in self._buckets.items() if not known.is_idle(now)}
                self._max_buckets = max(_MIN_BUCKETS, 2 * len(self._buckets))
            bucket = self._buckets[route] = Bucket()
        return bucket

    def _grant_permits(self) -> None:
        """Grant permits to the most urgent requests whose bucket has room."""
        now = _now()
        pace = self._pace(now)
        while self._queue and self.in_use < max(1, int(pace)) and not self._paused_until:
            waiter = heappop(self._queue)
            if waiter.granted.done():
                continue  # cancelled
            if waiter.bucket.take(now):
                self.in_use += 1
                waiter.granted.set_result(None)
            else:
                self._park(waiter, now)

    def _pace(self, now: float) -> float:
        """Return the requests per second that this process may send."""
        share = self.share / 2 if self.is_halved else self.share
        return self._invalid_requests.pace(now, share) * share

    def _park(self, waiter: _Waiter, now: float) -> None:
        """Keep a request out of the queue until its bucket has room again."""
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
            self.in_use -= 1
        else:
            bucket.update(now, permit.headers)
            # Discord counted the request some time before now, and no second may contain more requests than the pace
            # allows. With many processes, the pace is below one per second.
            asyncio.get_running_loop().call_later(
                _RATE_LIMIT_WINDOW_SECONDS / min(1.0, self._pace(now)), self._free_slot
            )
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
        self.in_use -= 1
        self._grant_permits()


def _now() -> float:
    return asyncio.get_running_loop().time()


class LibraryRequestLimiter:
    """Limits discord.py's requests through aiohttp's tracing."""

    def __init__(self, limits: RateLimiter) -> None:
        self._limits = limits

    def register_callbacks(self, trace_config: aiohttp.TraceConfig) -> None:
        """Add the callbacks to a trace configuration."""
        trace_config.on_request_start.append(self._on_start)
        trace_config.on_request_end.append(self._on_end)
        trace_config.on_request_exception.append(self._on_exception)

    async def _on_start(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestStartParams
    ) -> None:
        """Wait until a request with the bot's token may be sent. Interaction tokens have no shared limit."""
        context.stack = AsyncExitStack()
        context.permit = Permit()
        if request.headers.get("Authorization", "").startswith("Bot "):
            context.permit = await context.stack.enter_async_context(self._limits.permit(None, Urgency.CONNECTION))
            context.permit.is_used = True

    async def _on_end(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestEndParams
    ) -> None:
        headers = request.response.headers
        self._limits.note_response(request.method, request.url.path, request.response.status, headers)
        if "X-RateLimit-Global" in headers:
            # discord.py makes this request wait; all other requests must wait as well.
            context.permit.retry_after, context.permit.is_global = retry_after(headers, 1.0), True
        await context.stack.aclose()

    async def _on_exception(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, _request: aiohttp.TraceRequestExceptionParams
    ) -> None:
        await context.stack.aclose()
