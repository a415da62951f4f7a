"""REST: the bot's user and application with its commands and emoji, the gateway's URL, and servers."""

from collections.abc import Callable
from typing import TypeAlias

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.model.application import ApplicationEmoji
from bot.sandbox.model.servers import Server
from bot.sandbox.model.world import CommandsChange, EmojisChange, World
from bot.sandbox.rest.routes import ApiRequest, ApiResponse, Endpoint, Route
from bot.sandbox.validation.commands import check_commands
from bot.sandbox.validation.emoji import check_new_emoji
from bot.sandbox.validation.request_part import RequestPart
from bot.sandbox.wire import Json


def identity_routes(gateway_url: Callable[[], str], shards: int, start_limit: Callable[[], Json]) -> list[Route]:
    """Return the routes; the gateway's URL is known only once the server runs."""

    def gateway(_: ApiRequest) -> ApiResponse:
        return ApiResponse({"url": gateway_url()})

    def gateway_for_bots(_: ApiRequest) -> ApiResponse:
        return ApiResponse({"url": gateway_url(), "shards": shards, "session_start_limit": start_limit()})

    return [
        Route("GET", "/gateway", gateway, open_to_all=True),
        Route("GET", "/gateway/bot", gateway_for_bots),
        Route("GET", "/users/@me", _get_bot_user),
        Route("GET", "/oauth2/applications/@me", _get_application),
        Route("GET", r"/guilds/{guild_id:\d+}", _get_server),
        Route("GET", r"/guilds/{guild_id:\d+}/channels", _list_channels),
    ]


def _get_bot_user(request: ApiRequest) -> ApiResponse:
    extra = {"locale": "en-US", "mfa_enabled": False, "verified": True, "email": None}
    return ApiResponse({**request.world.bot.payload(), **extra})


def _get_application(request: ApiRequest) -> ApiResponse:
    return ApiResponse(application_payload(request.world))


def _get_server(request: ApiRequest) -> ApiResponse:
    return ApiResponse(_require_server(request).payload())


def _list_channels(request: ApiRequest) -> ApiResponse:
    return ApiResponse([channel.payload() for channel in _require_server(request).channels])


def _require_server(request: ApiRequest) -> Server:
    server = request.world.bot_servers.get(int(request.params["guild_id"]))
    if server is None:
        raise api_error(ErrorCode.UNKNOWN_GUILD)
    return server


def application_payload(world: World) -> Json:
    """Return the bot's application in Discord's format."""
    return {
        "id": str(world.bot.id),
        "name": world.bot.name,
        "icon": None,
        "description": "",
        "type": None,
        "summary": "",
        "bot": world.bot.payload(),
        "bot_public": True,
        "bot_require_code_grant": False,
        "verify_key": "0" * 64,
        "flags": 0,
        "owner": world.people[0].payload(),
        "team": None,
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "flags_new": "0",
        "explicit_content_filter": 0,
        "eligible_oauth2_scopes": ["bot", "applications.commands"],
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "approximate_guild_count": len(world.bot_servers),
    }


def _of_own_application(endpoint: Endpoint) -> Endpoint:
    def inner(request: ApiRequest) -> ApiResponse:
        if request.params["application_id"] != str(request.world.bot.id):
            raise api_error(ErrorCode.UNKNOWN_APPLICATION)
        return endpoint(request)

    return inner


_GLOBAL_COMMANDS = r"/applications/{application_id:\d+}/commands"
_SERVER_COMMANDS = r"/applications/{application_id:\d+}/guilds/{guild_id:\d+}/commands"

ScopedEndpoint: TypeAlias = Callable[[ApiRequest, int | None], ApiResponse]


def command_routes() -> list[Route]:
    """Return the routes."""
    routes: list[Route] = []
    for root in (_GLOBAL_COMMANDS, _SERVER_COMMANDS):
        routes += [
            Route("GET", root, _with_scope(_list_commands)),
            Route("PUT", root, _with_scope(_replace_commands)),
        ]
    return routes


def _with_scope(endpoint: ScopedEndpoint) -> Endpoint:
    def inner(request: ApiRequest) -> ApiResponse:
        server = request.params.get("guild_id")
        if server is None:
            return endpoint(request, None)
        if int(server) not in request.world.bot_servers:
            raise api_error(ErrorCode.MISSING_ACCESS)
        return endpoint(request, int(server))

    return _of_own_application(inner)


def _list_commands(request: ApiRequest, scope: int | None) -> ApiResponse:
    return ApiResponse(request.world.commands.list_scope(scope))


def _replace_commands(request: ApiRequest, scope: int | None) -> ApiResponse:
    requests = request.body.json or []
    check_commands(requests)
    registered = request.world.commands.replace(scope, requests)
    request.world.notify(CommandsChange())
    return ApiResponse(registered)


_EMOJIS = r"/applications/{application_id:\d+}/emojis"
_EMOJI = _EMOJIS + r"/{emoji_id:\d+}"


def emoji_routes() -> list[Route]:
    """Return the routes."""
    return [
        Route("GET", _EMOJIS, _of_own_application(_list_emojis)),
        Route("POST", _EMOJIS, _of_own_application(_create_emoji)),
        Route("DELETE", _EMOJI, _of_own_application(_delete_emoji)),
    ]


def _list_emojis(request: ApiRequest) -> ApiResponse:
    return ApiResponse({"items": [emoji.payload() for emoji in request.world.emojis.list_all()]})


def _create_emoji(request: ApiRequest) -> ApiResponse:
    file = check_new_emoji(request.json_object)
    _require_free_name(request)
    if request.world.emojis.is_full:
        raise api_error(ErrorCode.TOO_MANY_EMOJIS)
    emoji = request.world.emojis.add(request.json_object["name"], file.content_type, file.content)
    request.world.notify(EmojisChange())
    return ApiResponse(emoji.payload(), status=201)


def _delete_emoji(request: ApiRequest) -> ApiResponse:
    request.world.emojis.remove(_require_emoji(request))
    request.world.notify(EmojisChange())
    return ApiResponse()


def _require_emoji(request: ApiRequest) -> ApplicationEmoji:
    emoji = request.world.emojis.get(int(request.params["emoji_id"]))
    if emoji is None:
        raise api_error(ErrorCode.UNKNOWN_EMOJI)
    return emoji


def _require_free_name(request: ApiRequest) -> None:
    body = RequestPart(request.json_object)
    if request.world.emojis.is_taken(request.json_object["name"]):
        body["name"].add("APPLICATION_EMOJI_NAME_ALREADY_TAKEN", "An emoji with this name already exists.")
    body.raise_if_any()
