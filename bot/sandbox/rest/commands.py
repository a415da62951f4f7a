"""REST: the commands a bot registers, for everywhere or for the server alone."""

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
    def inner(call: ApiRequest) -> ApiResponse:
        if call.params["application_id"] != str(call.world.bot.id):
            raise api_error(ErrorCode.UNKNOWN_APPLICATION)
        server = call.params.get("guild_id")
        if server is None:
            return endpoint(call, None)
        if int(server) not in call.world.bot_servers:
            raise api_error(ErrorCode.MISSING_ACCESS)
        return endpoint(call, int(server))

    return inner


def _list(call: ApiRequest, scope: int | None) -> ApiResponse:
    return ApiResponse(call.world.commands.list_scope(scope))


def _replace(call: ApiRequest, scope: int | None) -> ApiResponse:
    requests = call.json or []
    check_commands(requests)
    made = call.world.commands.replace(scope, requests)
    call.world.notify(CommandsChange())
    return ApiResponse(made)


def _upsert(call: ApiRequest, scope: int | None) -> ApiResponse:
    check_command(call.json_object)
    known = call.world.commands.find_by_name(scope, call.json_object)
    command = call.world.commands.upsert(scope, call.json_object)
    call.world.notify(CommandsChange())
    return ApiResponse(command, status=201 if known is None else 200)


def _get(call: ApiRequest, scope: int | None) -> ApiResponse:
    return ApiResponse(_require_command(call, scope))


def _edit(call: ApiRequest, scope: int | None) -> ApiResponse:
    known = _require_command(call, scope)
    check_command({**known, **call.json_object})
    command = call.world.commands.edit(scope, int(known["id"]), call.json_object)
    call.world.notify(CommandsChange())
    return ApiResponse(command)


def _delete(call: ApiRequest, scope: int | None) -> ApiResponse:
    call.world.commands.remove(scope, int(_require_command(call, scope)["id"]))
    call.world.notify(CommandsChange())
    return ApiResponse()


def _require_command(call: ApiRequest, scope: int | None) -> Json:
    command = call.world.commands.get(scope, int(call.params["command_id"]))
    if command is None:
        raise api_error(ErrorCode.UNKNOWN_COMMAND)
    return command
