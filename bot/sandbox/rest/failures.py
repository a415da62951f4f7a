"""Fault injection for REST requests: delays, failures and rate limits."""

import asyncio
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
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
    """The status of an injected failure."""

    RATE_LIMITED = 429
    SERVER_ERROR = 500
    BAD_GATEWAY = 502


@dataclass(frozen=True, slots=True)
class PendingFailures:
    """How many of the next requests fail, and with which status."""

    failure: Failure
    left: int


class RequestHold:
    """Holds back the next matching request, or its response, until it is released."""

    def __init__(self, method: str, part: str, *, response: bool) -> None:
        self.reached = asyncio.Event()
        self.holds_response = response
        self._method = method
        self._part = part
        self._released = asyncio.Event()

    def matches(self, request: web.Request) -> bool:
        """Whether this is the request to hold back."""
        return not self.reached.is_set() and request.method == self._method and self._part in request.path

    async def wait(self) -> None:
        """Wait until it is released."""
        await self._released.wait()

    def release(self) -> None:
        """Release the request."""
        self._released.set()


@dataclass(frozen=True, slots=True)
class OtherAnswer:
    """What matching requests get instead of the answer to them."""

    method: str
    path: re.Pattern[str]
    status: int
    body: bytes
    content_type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)
    handles: bool = False
    """Whether the request is handled all the same, so that only its answer is another one."""
    only_files: bool = False
    """Whether only requests with files get it."""

    def matches(self, request: web.Request) -> bool:
        """Whether this is the answer to a request."""
        has_files = request.content_type == "multipart/form-data"
        return (
            request.method == self.method
            and self.path.search(request.path) is not None
            and (has_files or not self.only_files)
        )

    def response(self) -> web.Response:
        """Return the response."""
        headers = {"Via": VIA_HEADER, **self.headers}
        return web.Response(body=self.body, status=self.status, content_type=self.content_type, headers=headers)


class FaultInjector:
    """The injected faults."""

    def __init__(self, clock: Clock, changed: Callable[[], None]) -> None:
        self.delay_ms = 0
        self.failing: PendingFailures | None = None
        self.refuses_deferrals = False
        """Whether a deferred update is refused if the clicked message is deleted (10008)."""
        self._holds: list[RequestHold] = []
        self.other_answers: list[OtherAnswer] = []
        """What some requests get instead of their answer, until it is taken out; the first that matches counts."""
        self.other_answers_given = Counter[str]()
        """Number of requests that got one of these, by method."""
        self.edits_refused = 0
        """Number of edits that were refused because of a limit."""
        self._clock = clock
        self._edits_limited_until = 0.0
        self._on_change = changed

    def set_delay(self, delay_ms: int) -> None:
        """Delay every request."""
        self.delay_ms = delay_ms
        self._on_change()

    def fail_next(self, failure: Failure, count: int) -> None:
        """Let the next requests fail; 0 ends it."""
        self.failing = PendingFailures(failure, count) if count else None
        self._on_change()

    def hold(self, method: str, part: str, *, response: bool = False) -> RequestHold:
        """Hold back the next request whose path contains a text, or its response, so that others overtake it."""
        self._holds.append(hold := RequestHold(method, part, response=response))
        return hold

    def refuse(self, method: str, path: str, status: int, code: int) -> None:
        """Refuse requests whose path matches a pattern with an error code, while that is among the other answers."""
        self.other_answers.append(OtherAnswer(method, re.compile(path), status, _error_body(code)))

    def refuse_files(self, status: int, code: int) -> None:
        """Refuse requests that send files with an error code, while that is among the other answers."""
        for method in ("POST", "PATCH"):
            body = _error_body(code)
            self.other_answers.append(OtherAnswer(method, re.compile(""), status, body, only_files=True))

    def limit_edits(self, seconds: float) -> None:
        """Refuse all edits with the bot's token for some seconds, with the remaining time as Retry-After."""
        self._edits_limited_until = self._clock.now() + seconds
        self._on_change()

    @property
    def edits_limited_for(self) -> float:
        """Remaining seconds of refusing edits."""
        return max(0.0, self._edits_limited_until - self._clock.now())

    def middleware(self, *roots: str) -> Middleware:
        """Return the middleware that applies the faults to requests below some paths."""

        @web.middleware
        async def apply_faults(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not request.path.startswith(roots):
                return await handler(request)
            if self.delay_ms:
                await asyncio.sleep(self.delay_ms / 1000)
            held = self._take_hold(request)
            if held is not None and not held.holds_response:
                await held.wait()
            if (wait := self.edits_limited_for) and request.method == "PATCH" and _EDIT_PATH.search(request.path):
                self.edits_refused += 1
                return _rate_limit_response(math.ceil(wait * 1000) / 1000)
            other = next((each for each in self.other_answers if each.matches(request)), None)
            if other is not None:
                self.other_answers_given[request.method] += 1
                await (handler(request) if other.handles else request.read())
                return other.response()
            failure = self._next_failure()
            response = await handler(request) if failure is None else _failure_response(failure)
            if held is not None and held.holds_response:
                await held.wait()
            return response

        return apply_faults

    def _take_hold(self, request: web.Request) -> RequestHold | None:
        hold = next((each for each in self._holds if each.matches(request)), None)
        if hold is not None:
            hold.reached.set()
            self._holds.remove(hold)
        return hold

    def _next_failure(self) -> Failure | None:
        if self.failing is None:
            return None
        failure = self.failing.failure
        self.fail_next(failure, self.failing.left - 1)
        return failure


def _error_body(code: int) -> bytes:
    return encode({"message": f"error {code}", "code": code}).encode()


def _failure_response(failure: Failure) -> web.Response:
    if failure is Failure.RATE_LIMITED:
        return _rate_limit_response(RETRY_AFTER_SECONDS)
    if failure is Failure.SERVER_ERROR:
        return _json_response(failure, {"message": ErrorCode.GENERAL.message, "code": int(ErrorCode.GENERAL)}, {})
    # A proxy in front of Discord responds with HTML.
    return web.Response(text="<h1>502 Bad Gateway</h1>", status=failure, content_type="text/html")


def _json_response(status: int, body: Json, headers: dict[str, str]) -> web.Response:
    # Clients expect exactly this content type, without a charset.
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
