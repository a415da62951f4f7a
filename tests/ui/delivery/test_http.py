"""Routes of requests, which name no ids."""

from bot.platform.discord.rate_limits import route_of
from tests.support.each_case import each_case

ROUTES = [
    ("PATCH", "/api/v10/channels/12/messages/34", "PATCH /channels/{id}/messages/{id}"),
    ("POST", "/api/v10/interactions/12/a-Token_9/callback", "POST /interactions/{id}/{token}/callback"),
    ("PATCH", "/api/v10/webhooks/12/34/messages/@original", "PATCH /webhooks/{id}/{token}/messages/@original"),
    ("GET", "/api/v10/gateway/bot", "GET /gateway/bot"),
]


@each_case("method, path, route", ROUTES)
def test_a_route_contains_neither_ids_nor_tokens(method: str, path: str, route: str) -> None:
    assert route_of(method, path) == route
