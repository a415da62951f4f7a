"""The REST API: parsing of requests, authorization, rate limits, request log and responses."""

import re
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from aiohttp import web

from bot.sandbox.errors import ApiError, ErrorCode, api_error
from bot.sandbox.model.channels import Channel, DirectChannel, Thread
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.world import World
from bot.sandbox.rest.rates import VIA_HEADER, RateLimiter
from bot.sandbox.validation.messages import MAX_FILE_BYTES
from bot.sandbox.validation.request_part import RequestPart
from bot.sandbox.wire import Json, decode, encode

_FILE_FIELD = re.compile(r"files\[(\d+)\]")
_BOUNDARY = re.compile(r'boundary="?([^";]+)', re.IGNORECASE)
_NAME = re.compile(r';\s*name="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_FILENAME = re.compile(r';\s*filename="((?:[^"\\]|\\.)*)"', re.IGNORECASE)
_CONTENT_TYPE = re.compile(r"^content-type:\s*([^\s;]+)", re.IGNORECASE | re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class Upload:
    """A file of a request."""

    number: int
    filename: str
    content_type: str
    content: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class RequestBody:
    """The parsed body of a request."""

    json: Any = None
    uploads: tuple[Upload, ...] = ()


async def read_body(request: web.Request) -> RequestBody:
    """Parse the body of a request; raise ApiError if it is malformed."""
    try:
        raw = await request.read()
    except ConnectionResetError:  # the client has disconnected
        raise api_error(ErrorCode.INVALID_JSON) from None
    if not raw:
        return RequestBody()
    # `request.content_type` is the slowest part here: its cache never hits, because each boundary is new.
    content_type = request.headers.get("Content-Type", "")
    if content_type.lower().startswith("multipart/form-data"):
        return _parse_multipart(raw, content_type)
    return RequestBody(_parse_json(raw))


def _parse_json(raw: bytes) -> Any:
    try:
        json = decode(raw)
        if b"\\ud" in raw.lower():
            encode(json).encode()  # fails for lone surrogates
    except (ValueError, RecursionError):
        raise api_error(ErrorCode.INVALID_JSON) from None
    return json


def _parse_multipart(raw: bytes, content_type: str) -> RequestBody:
    boundary = _parse_parameter(_BOUNDARY, content_type, "")
    if not boundary:
        raise api_error(ErrorCode.INVALID_JSON)
    json: Any = None
    uploads: list[Upload] = []
    # The whole body is in memory, and splitting it is much faster than aiohttp's stream reader.
    for part in (b"\r\n" + raw).split(b"\r\n--" + boundary.encode())[1:-1]:
        head, _, content = part.partition(b"\r\n\r\n")
        headers = head.decode("utf-8", "replace")
        name = _parse_parameter(_NAME, headers, "")
        if name == "payload_json":
            json = _parse_json(content)
        elif number := _FILE_FIELD.fullmatch(name):
            uploads.append(_parse_upload(int(number[1]), headers, content))
    return RequestBody(json, tuple(uploads))


def _parse_upload(number: int, headers: str, content: bytes) -> Upload:
    if len(content) > MAX_FILE_BYTES:
        raise api_error(ErrorCode.TOO_LARGE)
    filename = _parse_parameter(_FILENAME, headers, "")
    content_type = _parse_parameter(_CONTENT_TYPE, headers, "application/octet-stream")
    return Upload(number, filename, content_type, content)


def _parse_parameter(pattern: re.Pattern[str], text: str, default: str) -> str:
    found = pattern.search(text)
    return default if found is None else _ESCAPED.sub(r"\1", found[1])


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


def require_channel(request: ApiRequest) -> Channel:
    """Return the channel of the request; raise ApiError if the bot may not view it."""
    channel = request.channel
    if not channel.allows_bot(Permissions.VIEW_CHANNEL):
        raise api_error(ErrorCode.MISSING_ACCESS)
    return channel


def require_permission(channel: Channel, permission: Permissions) -> None:
    """Raise ApiError if the bot lacks a permission."""
    if not channel.allows_bot(permission):
        raise api_error(ErrorCode.MISSING_PERMISSIONS)


def require_writing(channel: Channel) -> None:
    """Raise ApiError if the bot can't post here; posting opens an archived thread unless it is locked."""
    require_permission(channel, Permissions.SEND_MESSAGES)
    if isinstance(channel, DirectChannel) and channel.is_closed:
        # Discord answers 403 here and 400 elsewhere.
        raise ApiError(403, ErrorCode.NOT_REACHABLE, ErrorCode.NOT_REACHABLE.message)
    if isinstance(channel, Thread) and channel.is_locked and not channel.allows_bot(Permissions.MANAGE_THREADS):
        raise api_error(ErrorCode.ARCHIVED_THREAD if channel.is_archived else ErrorCode.LOCKED_THREAD)


def require_unarchived(channel: Channel) -> None:
    """Raise ApiError if the channel is an archived thread."""
    if isinstance(channel, Thread) and channel.is_archived:
        raise api_error(ErrorCode.ARCHIVED_THREAD)
