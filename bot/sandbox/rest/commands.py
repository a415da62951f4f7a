"""REST: the commands a bot registers, for everywhere or for the server alone."""

from collections.abc import Callable
from typing import TypeAlias

from bot.sandbox.errors import Code, api_error
from bot.sandbox.model.changes import CommandsChange
from bot.sandbox.rest.routes import Call, Endpoint, Reply, Route
from bot.sandbox.validation.commands import check_command, check_commands
from bot.sandbox.wire import Json

_EVERYWHERE = r"/applications/{application_id:\d+}/commands"
_SERVER = r"/applications/{application_id:\d+}/guilds/{guild_id:\d+}/commands"
_ONE = r"/{command_id:\d+}"

Scoped: TypeAlias = Callable[[Call, int | None], Reply]


def command_routes() -> list[Route]:
    """Return the routes."""
    routes: list[Route] = []
    for root in (_EVERYWHERE, _SERVER):
        routes += [
            Route("GET", root, _scoped(_list)),
            Route("PUT", root, _scoped(_replace)),
            Route("POST", root, _scoped(_put)),
            Route("GET", root + _ONE, _scoped(_get)),
            Route("PATCH", root + _ONE, _scoped(_revise)),
            Route("DELETE", root + _ONE, _scoped(_delete)),
        ]
    return routes


def _scoped(endpoint: Scoped) -> Endpoint:
    def inner(call: Call) -> Reply:
        if call.params["application_id"] != str(call.world.bot.id):
            raise api_error(Code.UNKNOWN_APPLICATION)
        server = call.params.get("guild_id")
        if server is None:
            return endpoint(call, None)
        if int(server) not in call.world.known_servers:
            raise api_error(Code.MISSING_ACCESS)
        return endpoint(call, int(server))

    return inner


def _list(call: Call, scope: int | None) -> Reply:
    return Reply(call.world.commands.listed(scope))


def _replace(call: Call, scope: int | None) -> Reply:
    requests = call.json or []
    check_commands(requests)
    made = call.world.commands.replace(scope, requests)
    call.world.tell(CommandsChange())
    return Reply(made)


def _put(call: Call, scope: int | None) -> Reply:
    check_command(call.object)
    known = call.world.commands.named(scope, call.object)
    command = call.world.commands.put(scope, call.object)
    call.world.tell(CommandsChange())
    return Reply(command, status=201 if known is None else 200)


def _get(call: Call, scope: int | None) -> Reply:
    return Reply(_known(call, scope))


def _revise(call: Call, scope: int | None) -> Reply:
    known = _known(call, scope)
    check_command({**known, **call.object})
    command = call.world.commands.revise(scope, int(known["id"]), call.object)
    call.world.tell(CommandsChange())
    return Reply(command)


def _delete(call: Call, scope: int | None) -> Reply:
    call.world.commands.remove(scope, int(_known(call, scope)["id"]))
    call.world.tell(CommandsChange())
    return Reply()


def _known(call: Call, scope: int | None) -> Json:
    command = call.world.commands.get(scope, int(call.params["command_id"]))
    if command is None:
        raise api_error(Code.UNKNOWN_COMMAND)
    return command
