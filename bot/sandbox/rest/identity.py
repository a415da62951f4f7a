"""REST: the bot's user and application, the gateway's URL, and servers."""

from collections.abc import Callable

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.model.servers import Server
from bot.sandbox.model.world import World
from bot.sandbox.rest.routes import ApiRequest, ApiResponse, Route
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
        Route("GET", "/applications/@me", _get_application),
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
