"""Troubles that somebody causes on purpose between the bot and the interface: a slow line, requests that fail."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.sandbox.errors import Code
from bot.sandbox.rates import VIA, Verdict
from bot.sandbox.wire import Json, encode

SLOWEST_MS = 10_000
MOST_FAILURES = 20
RETRY_AFTER_SECONDS = 1.0


class Failure(IntEnum):
    """With what a request fails that would have been served otherwise."""

    RATE_LIMITED = 429
    SERVER_ERROR = 500
    BAD_GATEWAY = 502


@dataclass(frozen=True, slots=True)
class Failing:
    """How many of the next requests fail, and with what."""

    failure: Failure
    left: int


class Troubles:
    """What stands between the bot and the interface at the moment."""

    def __init__(self, changed: Callable[[], None]) -> None:
        self.delay_ms = 0
        self.failing: Failing | None = None
        self._changed = changed

    def slow(self, delay_ms: int) -> None:
        """Hold every request back for so long."""
        self.delay_ms = delay_ms
        self._changed()

    def fail(self, failure: Failure, count: int) -> None:
        """Let the next requests fail; none of them puts an end to failing."""
        self.failing = Failing(failure, count) if count else None
        self._changed()

    def between(self, root: str) -> Middleware:
        """Return what hinders requests below an address."""

        @web.middleware
        async def hinder(request: web.Request, handler: Handler) -> web.StreamResponse:
            if not request.path.startswith(root):
                return await handler(request)
            if self.delay_ms:
                await asyncio.sleep(self.delay_ms / 1000)
            failure = self._next_failure()
            return await handler(request) if failure is None else _failed(failure)

        return hinder

    def _next_failure(self) -> Failure | None:
        if self.failing is None:
            return None
        failure = self.failing.failure
        self.fail(failure, self.failing.left - 1)
        return failure


def _failed(failure: Failure) -> web.Response:
    if failure is Failure.RATE_LIMITED:
        return _answer(failure, Verdict({}, RETRY_AFTER_SECONDS).refusal, _LIMITED)
    if failure is Failure.SERVER_ERROR:
        return _answer(failure, {"message": "500: Internal Server Error", "code": int(Code.GENERAL)}, {})
    # What stands in front of Discord answers in a language of its own.
    return web.Response(text="<h1>502 Bad Gateway</h1>", status=failure, content_type="text/html")


def _answer(status: int, body: Json, headers: dict[str, str]) -> web.Response:
    # Clients look for exactly this content type, without a charset.
    return web.Response(body=encode(body).encode(), status=status, content_type="application/json", headers=headers)


_LIMITED = {
    "Via": VIA,
    "Retry-After": str(int(RETRY_AFTER_SECONDS)),
    "X-RateLimit-Scope": "user",
    "X-RateLimit-Limit": "5",
    "X-RateLimit-Remaining": "0",
    "X-RateLimit-Reset-After": str(RETRY_AFTER_SECONDS),
}
