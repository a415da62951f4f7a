"""Troubles that somebody causes on purpose between the bot and the interface: a slow line, requests that fail."""

import asyncio
import math
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.sandbox.errors import ErrorCode
from bot.sandbox.model.clock import Clock
from bot.sandbox.rest.rates import VIA_HEADER, RateLimitResult
from bot.sandbox.wire import Json, encode

MAX_DELAY_MS = 10_000
MAX_FAILURES = 20
RETRY_AFTER_SECONDS = 1.0
MAX_LIMIT_SECONDS = 600

_EDIT_PATH = re.compile(r"/channels/\d+/messages/\d+$")


class Failure(IntEnum):
    """With what a request fails that would have been served otherwise."""

    RATE_LIMITED = 429
    SERVER_ERROR = 500
    BAD_GATEWAY = 502


@dataclass(frozen=True, slots=True)
class PendingFailures:
    """How many of the next requests fail, and with what."""

    failure: Failure
    left: int


class RequestHold:
    """Holds back the next request to an address, or its answer, until it is let go."""

    def __init__(self, method: str, part: str, *, answer: bool) -> None:
        self.reached = asyncio.Event()
        self.holds_answer = answer
        self._method = method
        self._part = part
        self._released = asyncio.Event()

    def matches(self, request: web.Request) -> bool:
        """Whether this is the request that is waited for."""
        return not self.reached.is_set() and request.method == self._method and self._part in request.path

    async def wait(self) -> None:
        """Wait until it is let go."""
        await self._released.wait()

    def release(self) -> None:
        """Let the request go on."""
        self._released.set()


class FaultInjector:
    """What stands between the bot and the interface at the moment."""

    def __init__(self, clock: Clock, changed: Callable[[], None]) -> None:
        self.delay_ms = 0
        self.failing: PendingFailures | None = None
        self.refuses_deferrals = False
        """Whether a click on a deleted message can't be acknowledged by a deferred update (10008)."""
        self._holds: list[RequestHold] = []
        self.edits_refused = 0
        """How many edits were refused because of a limit."""
        self._clock = clock
        self._edits_limited_until = 0.0
        self._on_change = changed

    def set_delay(self, delay_ms: int) -> None:
        """Hold every request back for so long."""
        self.delay_ms = delay_ms
        self._on_change()

    def fail_next(self, failure: Failure, count: int) -> None:
        """Let the next requests fail; none of them puts an end to failing."""
        self.failing = PendingFailures(failure, count) if count else None
        self._on_change()

    def hold(self, method: str, part: str, *, answer: bool = False) -> RequestHold:
        """Hold back the next request whose address contains this, or the answer to it, so that others overtake it."""
        self._holds.append(held := RequestHold(method, part, answer=answer))
        return held

    def limit_edits(self, seconds: float) -> None:
        """Refuse all edits with the bot's token for so long, and say how long that still is."""
        self._edits_limited_until = self._clock.now() + seconds
        self._on_change()

    @property
    def edits_limited_for(self) -> float:
        """For how many seconds edits are still refused."""
        return max(0.0, self._edits_limited_until - self._clock.now())

    def middleware(self, root: str) -> Middleware:
        """Return what hinders requests below an address."""

        @web.middleware
        async def hinder(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not request.path.startswith(root):
                return await handler(request)
            if self.delay_ms:
                await asyncio.sleep(self.delay_ms / 1000)
            held = self._take_hold(request)
            if held is not None and not held.holds_answer:
                await held.wait()
            if (wait := self.edits_limited_for) and request.method == "PATCH" and _EDIT_PATH.search(request.path):
                self.edits_refused += 1
                return _rate_limit_response(math.ceil(wait * 1000) / 1000)
            failure = self._next_failure()
            response = await handler(request) if failure is None else _failure_response(failure)
            if held is not None and held.holds_answer:
                await held.wait()
            return response

        return hinder

    def _take_hold(self, request: web.Request) -> RequestHold | None:
        held = next((each for each in self._holds if each.matches(request)), None)
        if held is not None:
            held.reached.set()
            self._holds.remove(held)
        return held

    def _next_failure(self) -> Failure | None:
        if self.failing is None:
            return None
        failure = self.failing.failure
        self.fail_next(failure, self.failing.left - 1)
        return failure


def _failure_response(failure: Failure) -> web.Response:
    if failure is Failure.RATE_LIMITED:
        return _rate_limit_response(RETRY_AFTER_SECONDS)
    if failure is Failure.SERVER_ERROR:
        return _json_response(failure, {"message": "500: Internal Server Error", "code": int(ErrorCode.GENERAL)}, {})
    # What stands in front of Discord answers in a language of its own.
    return web.Response(text="<h1>502 Bad Gateway</h1>", status=failure, content_type="text/html")


def _json_response(status: int, body: Json, headers: dict[str, str]) -> web.Response:
    # Clients look for exactly this content type, without a charset.
    return web.Response(body=encode(body).encode(), status=status, content_type="application/json", headers=headers)


def _rate_limit_response(wait: float) -> web.Response:
    headers = {
        "Via": VIA_HEADER,
        "Retry-After": str(math.ceil(wait)),
        "X-RateLimit-Scope": "user",
        "X-RateLimit-Limit": "5",
        "X-RateLimit-Remaining": "0",
        "X-RateLimit-Reset-After": str(wait),
    }
    return _json_response(Failure.RATE_LIMITED, RateLimitResult({}, wait).error_body, headers)
