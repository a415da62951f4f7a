"""The sandbox: a web server on the loopback address."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from aiohttp import web
from aiohttp.typedefs import Handler, Middleware

from bot.sandbox.gateway.gateway import Gateway
from bot.sandbox.model.channels import ServerChannel
from bot.sandbox.model.interactions import InteractionService
from bot.sandbox.model.messages import MEDIA_PATH
from bot.sandbox.model.world import TroubleChange, World
from bot.sandbox.page.files import FileServer
from bot.sandbox.page.session import PageServer
from bot.sandbox.page.trouble import ProcessController, TroublePanel
from bot.sandbox.people.person import Person
from bot.sandbox.rest.application import command_routes, emoji_routes, identity_routes
from bot.sandbox.rest.drafts import MessageWriter
from bot.sandbox.rest.failures import FaultInjector
from bot.sandbox.rest.interactions import InteractionRoutes
from bot.sandbox.rest.messages import MessageRoutes
from bot.sandbox.rest.rates import RateLimiter, Rates
from bot.sandbox.rest.routes import RequestRecord, RestApi
from bot.sandbox.rest.threads import thread_routes

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


HOST = "127.0.0.1"
API_PATH = "/api/v10"
MAX_BODY_BYTES = 32 * 1024 * 1024

T = TypeVar("T")


class Sandbox:
    """A stand-in for Discord with five people, a server and one bot."""

    def __init__(
        self,
        port: int = 0,
        token: str = "sandbox.token.for-tests",  # noqa: S107 - it is valid only for this sandbox
        *,
        deadline: float = 3.0,
        token_lifetime: float = 15 * 60.0,
        shards: int = 1,
        max_concurrency: int | None = None,
        identify_seconds: float = 0,
        rates: Rates | None = None,
    ) -> None:
        self.token = token
        self.world = World()
        self._port = port
        self._runner: web.AppRunner | None = None
        concurrency = max_concurrency or shards
        self.gateway = Gateway(
            self.world,
            token,
            lambda: self.gateway_url,
            max_concurrency=concurrency,
            identify_seconds=identify_seconds,
        )
        interactions = InteractionService(self.world, self.gateway, deadline, token_lifetime)
        self._people = {user.name: Person(user, self.world, interactions) for user in self.world.people}
        self.rate_limiter = RateLimiter(self.world.clock, rates)
        self._rest = RestApi(self.world, token, self.rate_limiter)
        self.fault_injector = FaultInjector(self.world.clock, lambda: self.world.notify(TroubleChange()))
        self._trouble_panel = TroublePanel(self.world, self.gateway, self.fault_injector)
        self._page = PageServer(self.world, tuple(self._people.values()), self._trouble_panel)
        self._files = FileServer(self.world, lambda: self.port)
        writer = MessageWriter(self.world, lambda: self.url)
        self.routes = [
            *identity_routes(lambda: self.gateway_url, shards, lambda: self.gateway.start_limit.payload(concurrency)),
            *command_routes(),
            *emoji_routes(),
            *MessageRoutes(writer).routes(),
            *thread_routes(),
            *InteractionRoutes(self.world, interactions, writer, self.fault_injector).routes(),
        ]

    @property
    def port(self) -> int:
        """The port it listens on, or before the start the requested one."""
        if self._runner is not None and self._runner.addresses:
            return int(self._runner.addresses[0][1])
        return self._port

    @property
    def url(self) -> str:
        """The URL of the page."""
        return f"http://{HOST}:{self.port}"

    @property
    def api_url(self) -> str:
        """The API URL for the bot."""
        return self.url + API_PATH

    @property
    def gateway_url(self) -> str:
        """The URL of the gateway."""
        return f"ws://{HOST}:{self.port}/gateway"

    @property
    def requests(self) -> tuple[RequestRecord, ...]:
        """The latest requests of the bot, oldest first."""
        return tuple(self._rest.log)

    @property
    def bot_online(self) -> bool:
        """Whether the bot is connected."""
        return self.world.bot_online

    def person(self, name: str) -> Person:
        """Return a person by name."""
        return self._people[name]

    def channel(self, name: str) -> ServerChannel:
        """Return a channel of the first server by name."""
        return next(each for each in self.world.channels if each.name == name.removeprefix("#"))

    def attach_bot_process(self, process: ProcessController) -> None:
        """Let the page restart the bot's process."""
        self._trouble_panel.process = process
        self.world.notify(TroubleChange())

    async def start(self) -> None:
        """Start listening; raise `OSError` if the port is taken."""
        middlewares = [make_host_guard(lambda: self.port), self.fault_injector.middleware(API_PATH, MEDIA_PATH)]
        app = web.Application(client_max_size=MAX_BODY_BYTES, middlewares=middlewares)
        self._rest.add_to(app, API_PATH, self.routes)
        app.router.add_get("/gateway", self.gateway.handle)
        self._page.add_to(app)
        self._files.add_to(app)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, self._port).start()
        except OSError:
            await runner.cleanup()
            raise
        self._runner = runner

    async def stop(self) -> None:
        """Close all connections and stop listening."""
        self._trouble_panel.stop()
        self.gateway.stop()
        self._page.stop()
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def until(self, condition: Callable[[], T], timeout: float = 30.0) -> T:  # noqa: ASYNC109 - tests say it
        """Wait until a condition holds, checking it at each change; raise `TimeoutError` if it does not."""
        return await asyncio.wait_for(self._wait_until_true(condition), timeout)

    async def _wait_until_true(self, condition: Callable[[], T]) -> T:
        # Others run even if it holds at once: from Python 3.12 on, `wait_for` makes no task of its own.
        await asyncio.sleep(0)
        while not (value := condition()):
            await self.world.next_change()
        return value
