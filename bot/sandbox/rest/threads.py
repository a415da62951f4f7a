"""REST: channels and threads."""

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.model.channels import ARCHIVE_MINUTES, ServerChannel, Thread, ThreadKind
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.rest.routes import (
    ApiRequest,
    ApiResponse,
    Route,
    require_channel,
    require_permission,
    require_unarchived,
)
from bot.sandbox.validation.request_part import RequestPart
from bot.sandbox.wire import Json

_CHANNEL = r"/channels/{channel_id:\d+}"
_MAX_NAME_LENGTH = 100
_MAX_SLOWMODE_SECONDS = 6 * 60 * 60


def thread_routes() -> list[Route]:
    """Return the routes."""
    return [
        Route("GET", _CHANNEL, _get_channel),
        Route("PATCH", _CHANNEL, _edit),
        Route("DELETE", _CHANNEL, _delete),
        Route("POST", _CHANNEL + "/threads", _start),
        Route("GET", r"/guilds/{guild_id:\d+}/threads/active", _list_active),
        Route("PUT", _CHANNEL + r"/thread-members/{user_id:@me|\d+}", _join),
    ]


def _get_channel(request: ApiRequest) -> ApiResponse:
    return ApiResponse(require_channel(request).payload())


def _start(request: ApiRequest) -> ApiResponse:
    channel = _require_server_channel(request)
    kind = request.json_object.get("type", ThreadKind.PRIVATE)
    body = RequestPart({**request.json_object, "type": kind})
    body["type"].check_one_of(frozenset(ThreadKind))
    _check_name(body, required=True)
    body["invitable"].check_boolean()
    body.raise_if_any()
    if channel.is_announcement is not (kind == ThreadKind.ANNOUNCEMENT):
        raise api_error(ErrorCode.WRONG_CHANNEL)
    is_public = kind != ThreadKind.PRIVATE
    require_permission(channel, Permissions.CREATE_PUBLIC_THREADS if is_public else Permissions.CREATE_PRIVATE_THREADS)
    name, thread_id = request.json_object["name"], request.world.snowflakes.next_id()
    thread = Thread(request.world, thread_id, channel, name, request.world.bot)
    thread.kind = ThreadKind(kind)
    thread.archive_minutes = request.json_object.get("auto_archive_duration") or thread.archive_minutes
    thread.is_invitable = request.json_object.get("invitable") is not False
    request.world.add_thread(thread)
    request.world.announce_thread(thread)
    return ApiResponse(thread.payload(), status=201)


def _edit(request: ApiRequest) -> ApiResponse:
    thread = _require_thread(request)
    body = request.json_object
    changes = RequestPart(body)
    _check_name(changes, required=False)
    for name in ("archived", "locked"):
        changes[name].check_boolean()
    changes.raise_if_any()
    _require_change(request, thread, body)
    thread.edit(
        name=body.get("name"),
        archived=body.get("archived"),
        locked=body.get("locked"),
        archive_minutes=body.get("auto_archive_duration"),
    )
    return ApiResponse(thread.payload())


def _require_change(request: ApiRequest, thread: Thread, body: Json) -> None:
    if thread.allows_bot(Permissions.MANAGE_THREADS):
        return
    # Without that permission the bot may archive its own threads, and open those that are not locked.
    is_opening = body.get("archived") is False
    if body.get("locked") is not None or thread.is_locked:
        raise api_error(ErrorCode.MISSING_PERMISSIONS)
    if thread.owner is not request.world.bot and not (is_opening and body.keys() == {"archived"}):
        raise api_error(ErrorCode.MISSING_PERMISSIONS)
    if not is_opening:
        require_unarchived(thread)


def _delete(request: ApiRequest) -> ApiResponse:
    thread = _require_thread(request)
    require_permission(thread, Permissions.MANAGE_THREADS)
    request.world.remove_thread(thread)
    return ApiResponse(thread.payload())


def _list_active(request: ApiRequest) -> ApiResponse:
    server = request.world.bot_servers.get(int(request.params["guild_id"]))
    if server is None:
        raise api_error(ErrorCode.UNKNOWN_GUILD)
    threads = request.world.active_threads(server)
    own = [thread.member_payload(request.world.bot.id) for thread in threads if request.world.bot.id in thread.members]
    listed = [thread.payload() for thread in reversed(threads)]
    return ApiResponse({"threads": listed, "members": own, "has_more": False})


def _join(request: ApiRequest) -> ApiResponse:
    thread = _require_thread(request)
    require_unarchived(thread)
    user_id = _parse_user_id(request)
    if not thread.server.has_member(user_id):
        raise api_error(ErrorCode.UNKNOWN_MEMBER)
    if user_id != request.world.bot.id:
        require_permission(thread, Permissions.SEND_MESSAGES)
    thread.join(user_id)
    return ApiResponse()


def _parse_user_id(request: ApiRequest) -> int:
    user_id = request.params["user_id"]
    return request.world.bot.id if user_id == "@me" else int(user_id)


def _require_server_channel(request: ApiRequest) -> ServerChannel:
    channel = require_channel(request)
    if not isinstance(channel, ServerChannel):
        raise api_error(ErrorCode.WRONG_CHANNEL)
    return channel


def _require_thread(request: ApiRequest) -> Thread:
    channel = require_channel(request)
    if not isinstance(channel, Thread):
        raise api_error(ErrorCode.WRONG_CHANNEL)
    return channel


def _check_name(body: RequestPart, *, required: bool) -> None:
    body["name"].check_text(_MAX_NAME_LENGTH, minimum=1, required=required)
    body["rate_limit_per_user"].check_integer(0, _MAX_SLOWMODE_SECONDS)
    if body["auto_archive_duration"].value is not None:
        body["auto_archive_duration"].check_one_of(ARCHIVE_MINUTES)
