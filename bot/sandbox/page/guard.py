"""Protects the server from requests of other web sites (DNS rebinding and cross-site requests)."""

from collections.abc import Callable

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

_HOST_NAMES = ("127.0.0.1", "localhost")


def make_host_guard(port: Callable[[], int]) -> Middleware:
    """Return a middleware that accepts only requests with this server's Host, and its Origin if there is one."""

    @web.middleware
    async def check(request: web.Request, handler: Handler) -> web.StreamResponse:
        # A browser may be sent here by another site, under that site's name (which shows in Host) or from one of
        # its pages (which shows in Origin). Clients other than browsers send no Origin.
        host, origin = request.headers.get("Host"), request.headers.get("Origin")
        hosts = [f"{name}:{port()}" for name in _HOST_NAMES]
        if host not in hosts or (origin is not None and origin not in [f"http://{each}" for each in hosts]):
            raise web.HTTPForbidden(text="Only this server's own page may do this.")
        return await handler(request)

    return check
