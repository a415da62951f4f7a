"""Rate limits and their headers."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.sandbox.errors import ErrorCode
from bot.sandbox.model.clock import Clock
from bot.sandbox.wire import Json

MAX_BUCKETS = 1000
"""Number of buckets that are kept before renewed ones are dropped."""

VIA_HEADER = "1.1 google"
"""In every response of Discord's. Clients take a 429 without it for one of a proxy, and give up."""


@dataclass(frozen=True, slots=True)
class Rate:
    """A number of requests within some seconds."""

    requests: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Rates:
    """The global limit for the bot's token, and the limits of routes."""

    everywhere: Rate = Rate(50, 1.0)
    routes: Mapping[tuple[str, str], Rate] = field(default_factory=dict)
    """By method and path."""


_CHANNEL_MESSAGE = r"/channels/{channel_id:\d+}/messages/{message_id:\d+}"
_WEBHOOK = r"/webhooks/{application_id:\d+}/{token}"

DISCORD = Rates(
    routes={
        ("POST", r"/channels/{channel_id:\d+}/messages"): Rate(5, 5.0),
        ("PATCH", _CHANNEL_MESSAGE): Rate(5, 5.0),
        ("DELETE", _CHANNEL_MESSAGE): Rate(5, 1.0),
        ("GET", r"/channels/{channel_id:\d+}/messages"): Rate(5, 5.0),
        ("POST", _WEBHOOK): Rate(5, 2.0),
        ("PATCH", _WEBHOOK + r"/messages/{message_id:@original|\d+}"): Rate(5, 2.0),
    }
)
"""Limits as observed: Discord does not publish them and may change them at any time."""


@dataclass(slots=True)
class Bucket:
    """The remaining requests of a limit until it renews."""

    rate: Rate
    left: int
    renewed_at: float


@dataclass(frozen=True, slots=True)
class RateLimitResult:
    """The rate limit headers of a response; with a wait the request is refused."""

    headers: dict[str, str]
    wait: float | None = None
    is_global: bool = False

    @property
    def error_body(self) -> Json:
        """The body of the 429 response."""
        body: Json = {"message": "You are being rate limited.", "retry_after": self.wait, "global": self.is_global}
        return {**body, "code": int(ErrorCode.GENERAL)}


_Key: TypeAlias = tuple[str, str]


class RateLimiter:
    """Counts requests against the limits, if there are any."""

    def __init__(self, clock: Clock, rates: Rates | None) -> None:
        self.rates = rates
        self._clock = clock
        self._buckets: dict[_Key, Bucket] = {}

    def count_request(self, method: str, path: str, params: Mapping[str, str]) -> RateLimitResult:
        """Count a request to a route."""
        if self.rates is None:
            return RateLimitResult({})
        # Requests with an interaction's token do not count against the global limit.
        if "token" not in params and (wait := self._take(("", ""), self.rates.everywhere)) is not None:
            return RateLimitResult(
                _refusal_headers(wait, {"X-RateLimit-Global": "true"}, "global"), wait, is_global=True
            )
        rate = self.rates.routes.get((method, path))
        if rate is None:
            return RateLimitResult({})
        name = hashlib.sha256(f"{method} {path}".encode()).hexdigest()[:32]
        major = next((params[each] for each in ("channel_id", "guild_id", "token") if each in params), "")
        wait = self._take((name, major), rate)
        headers = self._rate_headers(name, self._buckets[name, major])
        return (
            RateLimitResult(headers) if wait is None else RateLimitResult(_refusal_headers(wait, headers, "user"), wait)
        )

    def _take(self, key: _Key, rate: Rate) -> float | None:
        """Count one request; return the seconds to wait if none is left."""
        now, bucket = self._clock.now(), self._buckets.get(key)
        if bucket is None or bucket.rate is not rate or bucket.renewed_at <= now:
            if len(self._buckets) > MAX_BUCKETS:
                # Each interaction has some of its own.
                self._buckets = {kept: one for kept, one in self._buckets.items() if one.renewed_at > now}
            bucket = self._buckets[key] = Bucket(rate, rate.requests, now + rate.seconds)
        if bucket.left == 0:
            # Rounded up, so that a client which waits that long is served.
            return math.ceil((bucket.renewed_at - now) * 1000) / 1000
        bucket.left -= 1
        return None

    def _rate_headers(self, name: str, bucket: Bucket) -> dict[str, str]:
        after = max(0.0, bucket.renewed_at - self._clock.now())
        return {
            "X-RateLimit-Limit": str(bucket.rate.requests),
            "X-RateLimit-Remaining": str(bucket.left),
            "X-RateLimit-Reset": f"{self._clock.wall_time() + after:.3f}",
            "X-RateLimit-Reset-After": f"{after:.3f}",
            "X-RateLimit-Bucket": name,
        }


def _refusal_headers(wait: float, headers: dict[str, str], scope: str) -> dict[str, str]:
    return {**headers, "Retry-After": str(math.ceil(wait)), "X-RateLimit-Scope": scope}
