"""REST: global and server commands."""

from collections.abc import Callable
from typing import TypeAlias

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.model.changes import CommandsChange
from bot.sandbox.rest.routes import ApiRequest, ApiResponse, Endpoint, Route
from bot.sandbox.validation.commands import check_command, check_commands
from bot.sandbox.wire import Json

_EVERYWHERE = r"/applications/{application_id:\d+}/commands"
_SERVER = r"/applications/{application_id:\d+}/guilds/{guild_id:\d+}/commands"
_COMMAND = r"/{command_id:\d+}"

ScopedEndpoint: TypeAlias = Callable[[ApiRequest, int | None], ApiResponse]


def command_routes() -> list[Route]:
    """Return the routes."""
    routes: list[Route] = []
    for root in (_EVERYWHERE, _SERVER):
        routes += [
            Route("GET", root, _with_scope(_list)),
            Route("PUT", root, _with_scope(_replace)),
            Route("POST", root, _with_scope(_upsert)),
            Route("GET", root + _COMMAND, _with_scope(_get)),
            Route("PATCH", root + _COMMAND, _with_scope(_edit)),
            Route("DELETE", root + _COMMAND, _with_scope(_delete)),
        ]
    return routes


def _with_scope(endpoint: ScopedEndpoint) -> Endpoint:
    def inner(request: ApiRequest) -> ApiResponse:
        if request.params["application_id"] != str(request.world.bot.id):
            raise api_error(ErrorCode.UNKNOWN_APPLICATION)
        server = request.params.get("guild_id")
        if server is None:
            return endpoint(request, None)
        if int(server) not in request.world.bot_servers:
            raise api_error(ErrorCode.MISSING_ACCESS)
        return endpoint(request, int(server))

    return inner


def _list(request: ApiRequest, scope: int | None) -> ApiResponse:
    return ApiResponse(request.world.commands.list_scope(scope))


def _replace(request: ApiRequest, scope: int | None) -> ApiResponse:
    requests = request.body.json or []
    check_commands(requests)
    registered = request.world.commands.replace(scope, requests)
    request.world.notify(CommandsChange())
    return ApiResponse(registered)


def _upsert(request: ApiRequest, scope: int | None) -> ApiResponse:
    check_command(request.json_object)
    existing = request.world.commands.find_by_name(scope, request.json_object)
    command = request.world.commands.upsert(scope, request.json_object)
    request.world.notify(CommandsChange())
    return ApiResponse(command, status=201 if existing is None else 200)


def _get(request: ApiRequest, scope: int | None) -> ApiResponse:
    return ApiResponse(_require_command(request, scope))


def _edit(request: ApiRequest, scope: int | None) -> ApiResponse:
    existing = _require_command(request, scope)
    check_command({**existing, **request.json_object})
    command = request.world.commands.edit(scope, int(existing["id"]), request.json_object)
    request.world.notify(CommandsChange())
    return ApiResponse(command)


def _delete(request: ApiRequest, scope: int | None) -> ApiResponse:
    request.world.commands.remove(scope, int(_require_command(request, scope)["id"]))
    request.world.notify(CommandsChange())
    return ApiResponse()


def _require_command(request: ApiRequest, scope: int | None) -> Json:
    command = request.world.commands.get(scope, int(request.params["command_id"]))
    if command is None:
        raise api_error(ErrorCode.UNKNOWN_COMMAND)
    return command
