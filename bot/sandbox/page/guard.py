"""Keeps other web sites away from what a browser can reach here."""

from collections.abc import Callable

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

_HOST_NAMES = ("127.0.0.1", "localhost")


def make_host_guard(port: Callable[[], int]) -> Middleware:
    """Return what lets in only requests that mean this server, and come from its own page if from any."""

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        # Somebody's browser may be sent here by another site, under a name of that site (which shows in Host)
        # or from one of its pages (which shows in Origin). Clients that are no browsers send no Origin.
        host, origin = request.headers.get("Host"), request.headers.get("Origin")
        hosts = [f"{name}:{port()}" for name in _HOST_NAMES]
        if host not in hosts or (origin is not None and origin not in [f"http://{each}" for each in hosts]):
            raise web.HTTPForbidden(text="Only this server's own page may do this.")
        return await handler(request)

    return check
