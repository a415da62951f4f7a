"""REST: who the bot is, where its gateway is, and the server it is in."""

from collections.abc import Callable

from bot.sandbox.errors import Code, api_error
from bot.sandbox.rest import Call, Reply, Route
from bot.sandbox.wire import Json
from bot.sandbox.world import World


def identity_routes(gateway_url: Callable[[], str]) -> list[Route]:
    """Return the routes; the address of the gateway is known only once the server runs."""

    def gateway(_: Call) -> Reply:
        return Reply({"url": gateway_url()})

    def gateway_for_bots(_: Call) -> Reply:
        start = {"total": 1000, "remaining": 1000, "reset_after": 0, "max_concurrency": 1}
        return Reply({"url": gateway_url(), "shards": 1, "session_start_limit": start})

    return [
        Route("GET", "/gateway", gateway, open_to_all=True),
        Route("GET", "/gateway/bot", gateway_for_bots),
        Route("GET", "/users/@me", _me),
        Route("GET", "/applications/@me", _application),
        Route("GET", "/oauth2/applications/@me", _application),
        Route("GET", r"/guilds/{guild_id:\d+}", _server),
    ]


def _me(call: Call) -> Reply:
    extra = {"locale": "en-US", "mfa_enabled": False, "verified": True, "email": None}
    return Reply({**call.world.bot.payload(), **extra})


def _application(call: Call) -> Reply:
    return Reply(application(call.world))


def _server(call: Call) -> Reply:
    if int(call.params["guild_id"]) != call.world.server.id:
        raise api_error(Code.UNKNOWN_GUILD)
    return Reply(server(call.world))


def application(world: World) -> Json:
    """Return the application of the bot as Discord describes it."""
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
        "approximate_guild_count": 1,
    }


def server(world: World) -> Json:
    """Return the server as Discord describes it, without its channels and members."""
    return {
        "id": str(world.server.id),
        "name": world.server.name,
        "owner_id": str(world.server.owner_id),
        "icon": None,
        "splash": None,
        "banner": None,
        "description": None,
        "region": "en-US",
        "preferred_locale": "en-US",
        "afk_channel_id": None,
        "afk_timeout": 300,
        "system_channel_id": None,
        "system_channel_flags": 0,
        "rules_channel_id": None,
        "public_updates_channel_id": None,
        "vanity_url_code": None,
        "verification_level": 0,
        "default_message_notifications": 1,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "features": [],
        "emojis": [],
        "stickers": [],
        "roles": [_everyone(world)],
        "application_id": None,
    }


def _everyone(world: World) -> Json:
    return {
        "id": str(world.server.id),
        "name": "@everyone",
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "icon": None,
        "unicode_emoji": None,
        "position": 0,
        "permissions": str(world.people[1].permissions),
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
