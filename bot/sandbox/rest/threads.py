"""REST: channels themselves, and the threads in them."""

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.model.channels import ServerChannel
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.threads import ARCHIVE_MINUTES, Thread, ThreadKind
from bot.sandbox.rest.access import require_channel, require_permission, require_unarchived
from bot.sandbox.rest.messages import require_message
from bot.sandbox.rest.routes import ApiRequest, ApiResponse, Route
from bot.sandbox.validation.faults import ValidationErrors
from bot.sandbox.wire import Json

_CHANNEL = r"/channels/{channel_id:\d+}"
_MEMBERS = _CHANNEL + "/thread-members"
_MAX_NAME_LENGTH = 100
_MAX_SLOWMODE_SECONDS = 6 * 60 * 60


def thread_routes() -> list[Route]:
    """Return the routes."""
    return [
        Route("GET", _CHANNEL, _get_channel),
        Route("PATCH", _CHANNEL, _edit),
        Route("DELETE", _CHANNEL, _delete),
        Route("POST", _CHANNEL + "/threads", _start),
        Route("POST", _CHANNEL + r"/messages/{message_id:\d+}/threads", _start_from_message),
        Route("GET", _CHANNEL + "/threads/archived/public", _list_archived),
        Route("GET", r"/guilds/{guild_id:\d+}/threads/active", _list_active),
        Route("GET", _MEMBERS, _list_members),
        Route("GET", _MEMBERS + r"/{user_id:\d+}", _get_member),
        Route("PUT", _MEMBERS + r"/{user_id:@me|\d+}", _join),
        Route("DELETE", _MEMBERS + r"/{user_id:@me|\d+}", _leave),
    ]


def _get_channel(call: ApiRequest) -> ApiResponse:
    return ApiResponse(require_channel(call).payload())


def _start(call: ApiRequest) -> ApiResponse:
    channel = _require_server_channel(call)
    faults = ValidationErrors()
    kind = call.json_object.get("type", ThreadKind.PRIVATE)
    faults.check_one_of(("type",), kind, frozenset(ThreadKind))
    _check_name(faults, call.json_object, required=True)
    faults.check_boolean(("invitable",), call.json_object.get("invitable"))
    faults.raise_if_any()
    is_public = kind == ThreadKind.PUBLIC
    require_permission(channel, Permissions.CREATE_PUBLIC_THREADS if is_public else Permissions.CREATE_PRIVATE_THREADS)
    thread = _new_thread(call, channel, call.world.snowflakes.next_id())
    thread.kind = ThreadKind(kind)
    thread.is_invitable = call.json_object.get("invitable") is not False
    call.world.add_thread(thread)
    return ApiResponse(thread.payload(), status=201)


def _start_from_message(call: ApiRequest) -> ApiResponse:
    channel = _require_server_channel(call)
    message = require_message(call, channel)
    faults = ValidationErrors()
    _check_name(faults, call.json_object, required=True)
    faults.raise_if_any()
    require_permission(channel, Permissions.CREATE_PUBLIC_THREADS)
    if message.id in call.world.threads:
        raise api_error(ErrorCode.THREAD_EXISTS)
    thread = _new_thread(call, channel, message.id)
    message.thread = thread
    call.world.add_thread(thread)
    call.world.notify_message_changed(message, message.attachments)
    return ApiResponse(thread.payload(), status=201)


def _new_thread(call: ApiRequest, parent: ServerChannel, thread_id: int) -> Thread:
    thread = Thread(call.world, thread_id, parent, call.json_object["name"], call.world.bot)
    thread.archive_minutes = call.json_object.get("auto_archive_duration") or thread.archive_minutes
    return thread


def _edit(call: ApiRequest) -> ApiResponse:
    thread = _require_thread(call)
    body, faults = call.json_object, ValidationErrors()
    _check_name(faults, body, required=False)
    for name in ("archived", "locked"):
        faults.check_boolean((name,), body.get(name))
    faults.raise_if_any()
    _require_change(call, thread, body)
    thread.edit(
        name=body.get("name"),
        archived=body.get("archived"),
        locked=body.get("locked"),
        archive_minutes=body.get("auto_archive_duration"),
    )
    return ApiResponse(thread.payload())


def _require_change(call: ApiRequest, thread: Thread, body: Json) -> None:
    if thread.allows_bot(Permissions.MANAGE_THREADS):
        return
    # Without that permission one closes one's own threads, and opens those that are not locked.
    is_opening = body.get("archived") is False
    if body.get("locked") is not None or thread.is_locked:
        raise api_error(ErrorCode.MISSING_PERMISSIONS)
    if thread.owner is not call.world.bot and not (is_opening and body.keys() == {"archived"}):
        raise api_error(ErrorCode.MISSING_PERMISSIONS)
    if not is_opening:
        require_unarchived(thread)


def _delete(call: ApiRequest) -> ApiResponse:
    thread = _require_thread(call)
    require_permission(thread, Permissions.MANAGE_THREADS)
    call.world.remove_thread(thread)
    return ApiResponse(thread.payload())


def _list_archived(call: ApiRequest) -> ApiResponse:
    channel = _require_server_channel(call)
    require_permission(channel, Permissions.READ_MESSAGE_HISTORY)
    every = (thread for thread in call.world.threads.values() if thread.parent is channel and thread.is_archived)
    return ApiResponse(_build_thread_list(call, [thread for thread in every if thread.kind is ThreadKind.PUBLIC]))


def _list_active(call: ApiRequest) -> ApiResponse:
    server = call.world.bot_servers.get(int(call.params["guild_id"]))
    if server is None:
        raise api_error(ErrorCode.UNKNOWN_GUILD)
    return ApiResponse(_build_thread_list(call, call.world.active_threads(server)))


def _build_thread_list(call: ApiRequest, threads: list[Thread]) -> Json:
    own = [thread.member_payload(call.world.bot.id) for thread in threads if call.world.bot.id in thread.members]
    return {"threads": [thread.payload() for thread in reversed(threads)], "members": own, "has_more": False}


def _list_members(call: ApiRequest) -> ApiResponse:
    thread = _require_thread(call)
    return ApiResponse([thread.member_payload(user_id) for user_id in thread.members])


def _get_member(call: ApiRequest) -> ApiResponse:
    thread, user_id = _require_thread(call), int(call.params["user_id"])
    if user_id not in thread.members:
        raise api_error(ErrorCode.UNKNOWN_MEMBER)
    return ApiResponse(thread.member_payload(user_id))


def _join(call: ApiRequest) -> ApiResponse:
    thread = _require_thread(call)
    require_unarchived(thread)
    user_id = _parse_user_id(call)
    if not thread.server.has_member(user_id):
        raise api_error(ErrorCode.UNKNOWN_MEMBER)
    if user_id != call.world.bot.id:
        require_permission(thread, Permissions.SEND_MESSAGES)
    thread.join(user_id)
    return ApiResponse()


def _leave(call: ApiRequest) -> ApiResponse:
    thread = _require_thread(call)
    require_unarchived(thread)
    user_id = _parse_user_id(call)
    if user_id not in (call.world.bot.id, thread.owner.id):
        require_permission(thread, Permissions.MANAGE_THREADS)
    thread.leave(user_id)
    return ApiResponse()


def _parse_user_id(call: ApiRequest) -> int:
    wanted = call.params["user_id"]
    return call.world.bot.id if wanted == "@me" else int(wanted)


def _require_server_channel(call: ApiRequest) -> ServerChannel:
    channel = require_channel(call)
    if not isinstance(channel, ServerChannel):
        raise api_error(ErrorCode.WRONG_CHANNEL)
    return channel


def _require_thread(call: ApiRequest) -> Thread:
    channel = require_channel(call)
    if not isinstance(channel, Thread):
        raise api_error(ErrorCode.WRONG_CHANNEL)
    return channel


def _check_name(faults: ValidationErrors, body: Json, *, required: bool) -> None:
    faults.check_text(("name",), body.get("name"), _MAX_NAME_LENGTH, least=1, required=required)
    faults.check_integer(("rate_limit_per_user",), body.get("rate_limit_per_user"), 0, _MAX_SLOWMODE_SECONDS)
    if body.get("auto_archive_duration") is not None:
        faults.check_one_of(("auto_archive_duration",), body["auto_archive_duration"], ARCHIVE_MINUTES)
