"""How many requests Discord takes in which time, and what it says about that."""

import hashlib
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from bot.sandbox.errors import ErrorCode
from bot.sandbox.model.clock import Clock
from bot.sandbox.wire import Json

REMEMBERED = 1000
"""So many buckets are kept before those that are full again go."""

VIA_HEADER = "1.1 google"
"""Stands on every answer of Discord's; clients take a 429 without it for one of a proxy's, and give up."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests are taken within so many seconds."""

    requests: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Rates:
    """The limits: one for everything with the bot's token, and one for each address that has its own."""

    everywhere: Rate = Rate(50, 1.0)
    routes: Mapping[tuple[str, str], Rate] = field(default_factory=dict)
    """By method and address."""


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
"""As they are observed: Discord does not publish them, and may change them at any time."""


@dataclass(slots=True)
class Bucket:
    """What is left of a limit until it is renewed."""

    rate: Rate
    left: int
    renewed_at: float


@dataclass(frozen=True, slots=True)
class RateLimitResult:
    """What is said about limits with one answer; with a wait the request is refused."""

    headers: dict[str, str]
    wait: float | None = None
    is_global: bool = False

    @property
    def error_body(self) -> Json:
        """The body of the refusal."""
        body: Json = {"message": "You are being rate limited.", "retry_after": self.wait, "global": self.is_global}
        return {**body, "code": int(ErrorCode.GENERAL)}


_Key: TypeAlias = tuple[str, str]


class RateLimiter:
    """Counts requests against the limits; without any, everything is taken."""

    def __init__(self, clock: Clock, rates: Rates | None) -> None:
        self.rates = rates
        self._clock = clock
        self._buckets: dict[_Key, Bucket] = {}

    def count_request(self, method: str, path: str, params: Mapping[str, str]) -> RateLimitResult:
        """Count a request to a route and return what is said about it."""
        if self.rates is None:
            return RateLimitResult({})
        # What comes with an interaction's token does not count as the bot's.
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
        """Count one request; return how long to wait if there is none left."""
        now, bucket = self._clock.now(), self._buckets.get(key)
        if bucket is None or bucket.rate is not rate or bucket.renewed_at <= now:
            self._forget_renewed(now)
            bucket = self._buckets[key] = Bucket(rate, rate.requests, now + rate.seconds)
        if bucket.left == 0:
            # Whoever waits as long as they are told is served.
            return math.ceil((bucket.renewed_at - now) * 1000) / 1000
        bucket.left -= 1
        return None

    def _forget_renewed(self, now: float) -> None:
        """Let go of buckets that are full again; each interaction has some of its own."""
        if len(self._buckets) > REMEMBERED:
            self._buckets = {key: each for key, each in self._buckets.items() if each.renewed_at > now}

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
