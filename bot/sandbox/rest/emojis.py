"""REST: the emoji of the bot's application."""

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.model.changes import EmojisChange
from bot.sandbox.model.emojis import ApplicationEmoji
from bot.sandbox.rest.routes import ApiRequest, ApiResponse, Endpoint, Route
from bot.sandbox.validation.emoji_files import check_new_emoji, check_new_name
from bot.sandbox.validation.request_part import RequestPart

_ALL = r"/applications/{application_id:\d+}/emojis"
_ONE = _ALL + r"/{emoji_id:\d+}"


def emoji_routes() -> list[Route]:
    """Return the routes."""
    return [
        Route("GET", _ALL, _of_own_application(_list)),
        Route("POST", _ALL, _of_own_application(_create)),
        Route("GET", _ONE, _of_own_application(_get)),
        Route("PATCH", _ONE, _of_own_application(_rename)),
        Route("DELETE", _ONE, _of_own_application(_delete)),
    ]


def _of_own_application(endpoint: Endpoint) -> Endpoint:
    def inner(request: ApiRequest) -> ApiResponse:
        if request.params["application_id"] != str(request.world.bot.id):
            raise api_error(ErrorCode.UNKNOWN_APPLICATION)
        return endpoint(request)

    return inner


def _list(request: ApiRequest) -> ApiResponse:
    return ApiResponse({"items": [emoji.payload() for emoji in request.world.emojis.list_all()]})


def _create(request: ApiRequest) -> ApiResponse:
    file = check_new_emoji(request.json_object)
    _require_free_name(request)
    if request.world.emojis.is_full:
        raise api_error(ErrorCode.TOO_MANY_EMOJIS)
    emoji = request.world.emojis.add(request.json_object["name"], file.content_type, file.content)
    request.world.notify(EmojisChange())
    return ApiResponse(emoji.payload(), status=201)


def _get(request: ApiRequest) -> ApiResponse:
    return ApiResponse(_require_emoji(request).payload())


def _rename(request: ApiRequest) -> ApiResponse:
    emoji = _require_emoji(request)
    check_new_name(request.json_object)
    name = request.json_object.get("name", emoji.name)
    if name != emoji.name:
        _require_free_name(request)
        emoji.name = name
        request.world.notify(EmojisChange())
    return ApiResponse(emoji.payload())


def _delete(request: ApiRequest) -> ApiResponse:
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
