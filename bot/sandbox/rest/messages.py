"""REST: channels and the messages in them."""

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message, MessageFlags, MessageType
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.threads import Thread
from bot.sandbox.rest.access import (
    require_channel,
    require_draft_permissions,
    require_permission,
    require_unarchived,
    require_writing,
)
from bot.sandbox.rest.drafts import MessageDraft, MessageWriter, parse_draft_body
from bot.sandbox.rest.routes import ApiRequest, ApiResponse, Route
from bot.sandbox.validation.faults import ValidationErrors

_CHANNEL = r"/channels/{channel_id:\d+}"
_MESSAGE = _CHANNEL + r"/messages/{message_id:\d+}"


class MessageRoutes:
    """What a bot may do in channels on its own account."""

    def __init__(self, writer: MessageWriter) -> None:
        self._writer = writer

    def routes(self) -> list[Route]:
        """Return the routes."""
        return [
            Route("POST", "/users/@me/channels", self._open_direct),
            Route("GET", _CHANNEL + "/messages", self._list),
            Route("POST", _CHANNEL + "/messages", self._create),
            Route("GET", _MESSAGE, self._get),
            Route("PATCH", _MESSAGE, self._edit),
            Route("DELETE", _MESSAGE, self._delete),
        ]

    def _open_direct(self, call: ApiRequest) -> ApiResponse:
        faults = ValidationErrors()
        recipient = str(call.json_object.get("recipient_id"))
        faults.check_snowflake(("recipient_id",), recipient)
        faults.raise_if_any()
        if int(recipient) == call.world.bot.id:
            raise api_error(ErrorCode.NOT_REACHABLE)
        channel = call.world.direct_channels.get(int(recipient))
        if channel is None:
            raise api_error(ErrorCode.INVALID_RECIPIENT)
        return ApiResponse(channel.payload())

    def _list(self, call: ApiRequest) -> ApiResponse:
        channel = require_channel(call)
        wanted = _parse_page_query(call)
        if not channel.allows_bot(Permissions.READ_MESSAGE_HISTORY):
            return ApiResponse([])
        return ApiResponse([message.payload() for message in _select_page(channel, wanted)])

    def _get(self, call: ApiRequest) -> ApiResponse:
        channel = require_channel(call)
        require_permission(channel, Permissions.READ_MESSAGE_HISTORY)
        return ApiResponse(require_message(call, channel).payload())

    def _create(self, call: ApiRequest) -> ApiResponse:
        channel = require_channel(call)
        require_writing(channel)
        source = parse_draft_body(call.body)
        require_draft_permissions(channel, source)
        message = Message(call.world.snowflakes.next_id(), channel, call.world.bot)
        message.nonce = source.body.get("nonce")
        message.flags = _own_flags(source)
        _set_reference(call, message, source)
        if isinstance(channel, Thread):
            channel.unarchive()
        self._writer.create(message, source)
        return ApiResponse(message.payload())

    def _edit(self, call: ApiRequest) -> ApiResponse:
        channel = require_channel(call)
        message = require_message(call, channel)
        if message.author is not call.world.bot:
            raise api_error(ErrorCode.NOT_THE_AUTHOR)
        require_unarchived(channel)
        if message.is_edit_limited:
            raise api_error(ErrorCode.TOO_MANY_EDITS)
        source = parse_draft_body(call.body)
        require_draft_permissions(channel, source)
        self._writer.edit(message, source)
        return ApiResponse(message.payload())

    def _delete(self, call: ApiRequest) -> ApiResponse:
        channel = require_channel(call)
        message = require_message(call, channel)
        if message.author is not call.world.bot:
            if channel.server_id is None:
                raise api_error(ErrorCode.DIRECT_MESSAGES)
            require_permission(channel, Permissions.MANAGE_MESSAGES)
        require_unarchived(channel)
        call.world.remove_message(message)
        return ApiResponse()


def require_message(call: ApiRequest, channel: Channel) -> Message:
    """Return the message that the address names, if the bot may know of it."""
    # What only one reader sees is out of reach here.
    message = call.world.message(int(call.params["message_id"]))
    if message is None or message.channel is not channel or message.ephemeral_to is not None:
        raise api_error(ErrorCode.UNKNOWN_MESSAGE)
    return message


def _own_flags(source: MessageDraft) -> int:
    return int((source.body.get("flags") or 0) & MessageFlags.SUPPRESS_NOTIFICATIONS)


def _set_reference(call: ApiRequest, message: Message, source: MessageDraft) -> None:
    reference = source.body.get("message_reference")
    if reference is None:
        return
    faults = ValidationErrors()
    place = ("message_reference",)
    if faults.check_object(place, reference):
        faults.check_snowflake((*place, "message_id"), reference.get("message_id"))
    faults.raise_if_any()
    if not message.channel.allows_bot(Permissions.READ_MESSAGE_HISTORY):
        raise api_error(ErrorCode.NO_REPLY_WITHOUT_HISTORY)
    target = call.world.message(int(reference["message_id"]))
    if target is not None and target.channel is message.channel and target.ephemeral_to is None:
        message.reference, message.kind = target, MessageType.REPLY
    elif reference.get("fail_if_not_exists", True):
        faults.add(place, "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
        faults.raise_if_any()


def _parse_page_query(call: ApiRequest) -> dict[str, int]:
    faults = ValidationErrors()
    names = {"limit", "around", "before", "after"} & call.query.keys()
    numbers = {name: int(call.query[name]) for name in names if faults.check_snowflake((name,), call.query[name])}
    faults.check_integer(("limit",), numbers.get("limit"), 1, 100)
    faults.raise_if_any()
    return numbers


def _select_page(channel: Channel, wanted: dict[str, int]) -> list[Message]:
    """Return messages newest first, as Discord lists them."""
    limit, found = wanted.get("limit", 50), channel.public_messages
    if "around" in wanted:
        older = [message for message in found if message.id < wanted["around"]][-(limit // 2) :]
        newer = [message for message in found if message.id >= wanted["around"]]
        found = [*older, *newer[: limit - len(older)]]
    elif "after" in wanted:
        found = [message for message in found if message.id > wanted["after"]][:limit]
    elif "before" in wanted:
        found = [message for message in found if message.id < wanted["before"]]
    return found[-limit:][::-1]
