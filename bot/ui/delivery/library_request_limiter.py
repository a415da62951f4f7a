"""Brings what the library itself sends under the limits that all of the bot's requests share."""

from contextlib import AsyncExitStack
from types import SimpleNamespace

import aiohttp

from bot.ui.delivery.http import retry_after
from bot.ui.delivery.rate_limits import RateLimiter, Urgency

_TOO_MANY = 429


class LibraryRequestLimiter:
    """Hears from aiohttp of each request of the library, before it is sent and after it was answered."""

    def __init__(self, limits: RateLimiter) -> None:
        self._limits = limits

    def register_callbacks(self, listener: aiohttp.TraceConfig) -> None:
        """Hear of the requests that a listener hears of."""
        listener.on_request_start.append(self._on_start)
        listener.on_request_end.append(self._on_end)
        listener.on_request_exception.append(self._on_exception)

    async def _on_start(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestStartParams
    ) -> None:
        """Wait until a request with the bot's token may be sent; what comes with an interaction's token is free."""
        context.stack = AsyncExitStack()
        context.permit = None
        if request.headers.get("Authorization", "").startswith("Bot "):
            context.permit = await context.stack.enter_async_context(self._limits.permit(None, Urgency.CONNECTION))
            context.permit.is_used = True

    async def _on_end(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestEndParams
    ) -> None:
        status, headers = request.response.status, request.response.headers
        self._limits.note_status(status, headers)
        if context.permit is not None and status == _TOO_MANY and "X-RateLimit-Global" in headers:
            # The library waits by itself; so does everything else.
            context.permit.retry_after, context.permit.is_global = retry_after(headers, 1.0), True
        await context.stack.aclose()

    async def _on_exception(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, _request: aiohttp.TraceRequestExceptionParams
    ) -> None:
        await context.stack.aclose()
