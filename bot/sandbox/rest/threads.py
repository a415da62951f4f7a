"""REST: channels themselves, and the threads in them."""

from bot.sandbox.errors import Code, api_error
from bot.sandbox.model.channels import ServerChannel
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.threads import ARCHIVE_MINUTES, Thread, ThreadKind
from bot.sandbox.rest.access import open_channel, require, require_unarchived
from bot.sandbox.rest.messages import found_message
from bot.sandbox.rest.routes import Call, Reply, Route
from bot.sandbox.validation.faults import Faults
from bot.sandbox.wire import Json

_CHANNEL = r"/channels/{channel_id:\d+}"
_MEMBERS = _CHANNEL + "/thread-members"
_NAME = 100
_SLOWEST_SECONDS = 6 * 60 * 60


def thread_routes() -> list[Route]:
    """Return the routes."""
    return [
        Route("GET", _CHANNEL, _channel),
        Route("PATCH", _CHANNEL, _change),
        Route("DELETE", _CHANNEL, _delete),
        Route("POST", _CHANNEL + "/threads", _start),
        Route("POST", _CHANNEL + r"/messages/{message_id:\d+}/threads", _start_from_message),
        Route("GET", _CHANNEL + "/threads/archived/public", _archived),
        Route("GET", r"/guilds/{guild_id:\d+}/threads/active", _active),
        Route("GET", _MEMBERS, _members),
        Route("GET", _MEMBERS + r"/{user_id:\d+}", _member),
        Route("PUT", _MEMBERS + r"/{user_id:@me|\d+}", _join),
        Route("DELETE", _MEMBERS + r"/{user_id:@me|\d+}", _leave),
    ]


def _channel(call: Call) -> Reply:
    return Reply(open_channel(call).payload())


def _start(call: Call) -> Reply:
    channel = _parent(call)
    faults = Faults()
    kind = call.object.get("type", ThreadKind.PRIVATE)
    faults.one_of(("type",), kind, frozenset(ThreadKind))
    _check_name(faults, call.object, required=True)
    faults.flag(("invitable",), call.object.get("invitable"))
    faults.complain()
    is_public = kind == ThreadKind.PUBLIC
    require(channel, Permissions.CREATE_PUBLIC_THREADS if is_public else Permissions.CREATE_PRIVATE_THREADS)
    thread = _new(call, channel, call.world.snowflakes.new())
    thread.kind = ThreadKind(kind)
    thread.is_invitable = call.object.get("invitable") is not False
    call.world.add_thread(thread)
    return Reply(thread.payload(), status=201)


def _start_from_message(call: Call) -> Reply:
    channel = _parent(call)
    message = found_message(call, channel)
    faults = Faults()
    _check_name(faults, call.object, required=True)
    faults.complain()
    require(channel, Permissions.CREATE_PUBLIC_THREADS)
    if message.id in call.world.threads:
        raise api_error(Code.THREAD_EXISTS)
    thread = _new(call, channel, message.id)
    message.thread = thread
    call.world.add_thread(thread)
    call.world.changed(message, message.attachments)
    return Reply(thread.payload(), status=201)


def _new(call: Call, parent: ServerChannel, thread_id: int) -> Thread:
    thread = Thread(call.world, thread_id, parent, call.object["name"], call.world.bot)
    thread.archive_minutes = call.object.get("auto_archive_duration") or thread.archive_minutes
    return thread


def _change(call: Call) -> Reply:
    thread = _thread(call)
    body, faults = call.object, Faults()
    _check_name(faults, body, required=False)
    for name in ("archived", "locked"):
        faults.flag((name,), body.get(name))
    faults.complain()
    _require_change(call, thread, body)
    thread.change(
        name=body.get("name"),
        archived=body.get("archived"),
        locked=body.get("locked"),
        archive_minutes=body.get("auto_archive_duration"),
    )
    return Reply(thread.payload())


def _require_change(call: Call, thread: Thread, body: Json) -> None:
    if thread.allows(Permissions.MANAGE_THREADS):
        return
    # Without that permission one closes one's own threads, and opens those that are not locked.
    is_opening = body.get("archived") is False
    if body.get("locked") is not None or thread.is_locked:
        raise api_error(Code.MISSING_PERMISSIONS)
    if thread.owner is not call.world.bot and not (is_opening and body.keys() == {"archived"}):
        raise api_error(Code.MISSING_PERMISSIONS)
    if not is_opening:
        require_unarchived(thread)


def _delete(call: Call) -> Reply:
    thread = _thread(call)
    require(thread, Permissions.MANAGE_THREADS)
    call.world.remove_thread(thread)
    return Reply(thread.payload())


def _archived(call: Call) -> Reply:
    channel = _parent(call)
    require(channel, Permissions.READ_MESSAGE_HISTORY)
    every = (thread for thread in call.world.threads.values() if thread.parent is channel and thread.is_archived)
    return Reply(_listed(call, [thread for thread in every if thread.kind is ThreadKind.PUBLIC]))


def _active(call: Call) -> Reply:
    server = call.world.known_servers.get(int(call.params["guild_id"]))
    if server is None:
        raise api_error(Code.UNKNOWN_GUILD)
    return Reply(_listed(call, call.world.active_threads(server)))


def _listed(call: Call, threads: list[Thread]) -> Json:
    own = [thread.membership(call.world.bot.id) for thread in threads if call.world.bot.id in thread.members]
    return {"threads": [thread.payload() for thread in reversed(threads)], "members": own, "has_more": False}


def _members(call: Call) -> Reply:
    thread = _thread(call)
    return Reply([thread.membership(user_id) for user_id in thread.members])


def _member(call: Call) -> Reply:
    thread, user_id = _thread(call), int(call.params["user_id"])
    if user_id not in thread.members:
        raise api_error(Code.UNKNOWN_MEMBER)
    return Reply(thread.membership(user_id))


def _join(call: Call) -> Reply:
    thread = _thread(call)
    require_unarchived(thread)
    user_id = _named(call)
    if not thread.server.has_member(user_id):
        raise api_error(Code.UNKNOWN_MEMBER)
    if user_id != call.world.bot.id:
        require(thread, Permissions.SEND_MESSAGES)
    thread.join(user_id)
    return Reply()


def _leave(call: Call) -> Reply:
    thread = _thread(call)
    require_unarchived(thread)
    user_id = _named(call)
    if user_id not in (call.world.bot.id, thread.owner.id):
        require(thread, Permissions.MANAGE_THREADS)
    thread.leave(user_id)
    return Reply()


def _named(call: Call) -> int:
    wanted = call.params["user_id"]
    return call.world.bot.id if wanted == "@me" else int(wanted)


def _parent(call: Call) -> ServerChannel:
    channel = open_channel(call)
    if not isinstance(channel, ServerChannel):
        raise api_error(Code.WRONG_CHANNEL)
    return channel


def _thread(call: Call) -> Thread:
    channel = open_channel(call)
    if not isinstance(channel, Thread):
        raise api_error(Code.WRONG_CHANNEL)
    return channel


def _check_name(faults: Faults, body: Json, *, required: bool) -> None:
    faults.text(("name",), body.get("name"), _NAME, least=1, required=required)
    faults.whole(("rate_limit_per_user",), body.get("rate_limit_per_user"), 0, _SLOWEST_SECONDS)
    if body.get("auto_archive_duration") is not None:
        faults.one_of(("auto_archive_duration",), body["auto_archive_duration"], ARCHIVE_MINUTES)
