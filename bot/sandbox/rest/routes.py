"""The frame of the REST interface: who may ask, what is noted, how answers look."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from aiohttp import web

from bot.sandbox.errors import ApiError, ErrorCode, api_error, not_found, unauthorized
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.world import World
from bot.sandbox.rest.rates import VIA_HEADER, RateLimiter
from bot.sandbox.rest.uploads import RequestBody, Upload, read_body
from bot.sandbox.validation.faults import ValidationErrors
from bot.sandbox.wire import Json, encode

MAX_LOGGED_REQUESTS = 2000


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """A request of the bot and the answer it got."""

    method: str
    path: str
    json: Any
    status: int
    answer: Any = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request whose body has been read."""

    world: World
    params: dict[str, str]
    query: dict[str, str]
    body: RequestBody

    @property
    def json(self) -> Any:
        """What was sent as JSON."""
        return self.body.json

    @property
    def uploads(self) -> tuple[Upload, ...]:
        """The files that were sent."""
        return self.body.uploads

    @property
    def json_object(self) -> Json:
        """What was sent, if it is an object; an empty one otherwise."""
        return self.body.json if isinstance(self.body.json, dict) else {}

    @property
    def channel(self) -> Channel:
        """The channel that the address names."""
        channel = self.world.channel(int(self.params["channel_id"]))
        if channel is None:
            raise api_error(ErrorCode.UNKNOWN_CHANNEL)
        return channel


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """A body and its status; without a body it is 204."""

    body: Json | list[Json] | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


# Endpoints are plain functions: from the read body to the answer nothing else happens in between.
Endpoint: TypeAlias = Callable[[ApiRequest], ApiResponse]


@dataclass(frozen=True, slots=True)
class Route:
    """An address below the root of the interface and what answers there."""

    method: str
    path: str
    endpoint: Endpoint
    open_to_all: bool = False


class RestApi:
    """Serves routes and keeps a log of the requests."""

    def __init__(self, world: World, token: str, limiter: RateLimiter) -> None:
        self.log: deque[RequestRecord] = deque(maxlen=MAX_LOGGED_REQUESTS)
        self._world = world
        self._limiter = limiter
        self._authorization = f"Bot {token}"

    def add_to(self, app: web.Application, root: str, routes: Iterable[Route]) -> None:
        """Serve routes, and refuse every other address below the root."""
        for route in routes:
            app.router.add_route(route.method, root + route.path, self._handler(route))
        unknown = Route("*", "/{tail:.*}", _raise_not_found, open_to_all=True)
        app.router.add_route(unknown.method, root + unknown.path, self._handler(unknown))

    def _handler(self, route: Route) -> Callable[[web.Request], Any]:
        async def handle(request: web.Request) -> web.Response:
            body = RequestBody()
            try:
                self._check_token(route, request)
                body = await read_body(request)
                reply = self._call_endpoint(route, request, body)
            except web.HTTPRequestEntityTooLarge:
                too_large = api_error(ErrorCode.TOO_LARGE)
                reply = ApiResponse(too_large.payload, too_large.status)
            except ApiError as refusal:
                reply = ApiResponse(refusal.payload, refusal.status)
            return self._build_response(request, body, reply)

        return handle

    def _check_token(self, route: Route, request: web.Request) -> None:
        if not route.open_to_all and request.headers.get("Authorization") != self._authorization:
            raise unauthorized()

    def _call_endpoint(self, route: Route, request: web.Request, body: RequestBody) -> ApiResponse:
        params = dict(request.match_info)
        verdict = self._limiter.count_request(route.method, route.path, params)
        if verdict.wait is not None:
            return ApiResponse(verdict.error_body, 429, verdict.headers)
        try:
            _check_ids(params)
            reply = route.endpoint(ApiRequest(self._world, params, dict(request.query), body))
        except ApiError as refusal:
            reply = ApiResponse(refusal.payload, refusal.status)
        return replace(reply, headers=verdict.headers)

    def _build_response(self, request: web.Request, body: RequestBody, reply: ApiResponse) -> web.Response:
        status = 204 if reply.body is None else reply.status
        self.log.append(RequestRecord(request.method, request.path, body.json, status, reply.body))
        headers = {**reply.headers, "Via": VIA_HEADER}
        if reply.body is None:
            return web.Response(status=status, headers=headers)
        # Clients look for exactly this content type, without a charset.
        text = encode(reply.body).encode()
        return web.Response(body=text, status=status, headers=headers, content_type="application/json")


def _check_ids(params: Mapping[str, str]) -> None:
    """Refuse an address with digits that are no id; words like @me are looked at where they are known."""
    faults = ValidationErrors()
    for name, value in params.items():
        if name.endswith("_id") and not value.startswith("@"):
            faults.check_snowflake((name,), value)
    faults.raise_if_any()


def _raise_not_found(_: ApiRequest) -> ApiResponse:
    raise not_found()
