"""Applies the shared rate limits to the requests that discord.py sends by itself."""

from contextlib import AsyncExitStack
from types import SimpleNamespace

import aiohttp

from bot.platform.discord.http import retry_after
from bot.platform.discord.rate_limits import Permit, RateLimiter, Urgency


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
        """Wait until a request with the bot's token may be sent; interaction tokens have no shared limit."""
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
            # discord.py waits by itself; all other requests must wait as well.
            context.permit.retry_after, context.permit.is_global = retry_after(headers, 1.0), True
        await context.stack.aclose()

    async def _on_exception(
        self, _session: aiohttp.ClientSession, context: SimpleNamespace, _request: aiohttp.TraceRequestExceptionParams
    ) -> None:
        await context.stack.aclose()
