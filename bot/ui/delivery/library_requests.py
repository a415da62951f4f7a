"""Brings what the library itself sends under the limits that all of the bot's requests share."""

from contextlib import AsyncExitStack
from types import SimpleNamespace

import aiohttp

from bot.ui.delivery.http import retry_after
from bot.ui.delivery.rate_limits import RequestLimits, Urgency

_TOO_MANY = 429


class LibraryRequests:
    """Hears from aiohttp of each request of the library, before it is sent and after it was answered."""

    def __init__(self, limits: RequestLimits) -> None:
        self._limits = limits

    def listen(self, listener: aiohttp.TraceConfig) -> None:
        """Hear of the requests that a listener hears of."""
        listener.on_request_start.append(self._begin)
        listener.on_request_end.append(self._end)
        listener.on_request_exception.append(self._fail)

    async def _begin(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestStartParams
    ) -> None:
        """Wait until a request with the bot's token may be sent; what comes with an interaction's token is free."""
        context.stack = AsyncExitStack()
        context.permit = None
        if request.headers.get("Authorization", "").startswith("Bot "):
            context.permit = await context.stack.enter_async_context(self._limits.permit(None, Urgency.CONNECTION))
            context.permit.is_used = True

    async def _end(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, request: aiohttp.TraceRequestEndParams
    ) -> None:
        status, headers = request.response.status, request.response.headers
        self._limits.note_status(status, headers)
        if context.permit is not None and status == _TOO_MANY and "X-RateLimit-Global" in headers:
            # The library waits by itself; so does everything else.
            context.permit.wait, context.permit.is_global = retry_after(headers, 1.0), True
        await context.stack.aclose()

    async def _fail(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, _request: aiohttp.TraceRequestExceptionParams
    ) -> None:
        await context.stack.aclose()
