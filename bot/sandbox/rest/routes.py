"""The REST API: authorization, rate limits, request log and responses."""

from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from aiohttp import web

from bot.sandbox.errors import ApiError, ErrorCode, api_error
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.world import World
from bot.sandbox.rest.rates import VIA_HEADER, RateLimiter
from bot.sandbox.rest.uploads import RequestBody, read_body
from bot.sandbox.validation.request_part import RequestPart
from bot.sandbox.wire import Json, encode

MAX_LOGGED_REQUESTS = 2000


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """A logged request with its response."""

    method: str
    path: str
    json: Any
    status: int
    response: Any = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class ApiRequest:
    """A request with its parsed body."""

    world: World
    params: dict[str, str]
    query: dict[str, str]
    body: RequestBody

    @property
    def json_object(self) -> Json:
        """The JSON of the body if it is an object, else an empty one."""
        return self.body.json if isinstance(self.body.json, dict) else {}

    @property
    def channel(self) -> Channel:
        """The channel of the path."""
        channel = self.world.channel(int(self.params["channel_id"]))
        if channel is None:
            raise api_error(ErrorCode.UNKNOWN_CHANNEL)
        return channel


@dataclass(frozen=True, slots=True)
class ApiResponse:
    """A response; without a body its status is 204."""

    body: Json | list[Json] | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)


# Endpoints are synchronous, so that nothing else happens while one runs.
Endpoint: TypeAlias = Callable[[ApiRequest], ApiResponse]


@dataclass(frozen=True, slots=True)
class Route:
    """A method and path below the API's root, with their endpoint."""

    method: str
    path: str
    endpoint: Endpoint
    open_to_all: bool = False


class RestApi:
    """Serves routes and logs requests."""

    def __init__(self, world: World, token: str, limiter: RateLimiter) -> None:
        self.log: deque[RequestRecord] = deque(maxlen=MAX_LOGGED_REQUESTS)
        self._world = world
        self._limiter = limiter
        self._authorization = f"Bot {token}"

    def add_to(self, app: web.Application, root: str, routes: Iterable[Route]) -> None:
        """Add routes to an application, and a 404 for every other path below the root."""
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
                response = self._call_endpoint(route, request, body)
            except web.HTTPRequestEntityTooLarge:
                too_large = api_error(ErrorCode.TOO_LARGE)
                response = ApiResponse(too_large.payload, too_large.status)
            except ApiError as refusal:
                response = ApiResponse(refusal.payload, refusal.status)
            return self._build_response(request, body, response)

        return handle

    def _check_token(self, route: Route, request: web.Request) -> None:
        if not route.open_to_all and request.headers.get("Authorization") != self._authorization:
            raise ApiError(401, ErrorCode.GENERAL, "401: Unauthorized")

    def _call_endpoint(self, route: Route, request: web.Request, body: RequestBody) -> ApiResponse:
        params = dict(request.match_info)
        rate_limit = self._limiter.count_request(route.method, route.path, params)
        if rate_limit.wait is not None:
            return ApiResponse(rate_limit.error_body, 429, rate_limit.headers)
        try:
            _check_ids(params)
            response = route.endpoint(ApiRequest(self._world, params, dict(request.query), body))
        except ApiError as refusal:
            response = ApiResponse(refusal.payload, refusal.status)
        return replace(response, headers=rate_limit.headers)

    def _build_response(self, request: web.Request, body: RequestBody, response: ApiResponse) -> web.Response:
        status = 204 if response.body is None else response.status
        self.log.append(RequestRecord(request.method, request.path, body.json, status, response.body))
        headers = {**response.headers, "Via": VIA_HEADER}
        if response.body is None:
            return web.Response(status=status, headers=headers)
        # Clients expect exactly this content type, without a charset.
        text = encode(response.body).encode()
        return web.Response(body=text, status=status, headers=headers, content_type="application/json")


def _check_ids(params: Mapping[str, str]) -> None:
    """Raise ApiError for ids that are no snowflakes; endpoints handle words like @me."""
    part = RequestPart(params)
    for name, value in params.items():
        if name.endswith("_id") and not value.startswith("@"):
            part[name].check_snowflake()
    part.raise_if_any()


def _raise_not_found(_: ApiRequest) -> ApiResponse:
    raise ApiError(404, ErrorCode.GENERAL, "404: Not Found")
