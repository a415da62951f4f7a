"""REST: channels and the messages in them."""

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.model.channels import Channel, Thread
from bot.sandbox.model.messages import Message, MessageFlags, MessageType
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.rest.drafts import MessageDraft, MessageWriter, parse_draft_body, require_draft_permissions
from bot.sandbox.rest.routes import (
    ApiRequest,
    ApiResponse,
    Route,
    require_channel,
    require_permission,
    require_unarchived,
    require_writing,
)
from bot.sandbox.validation.request_part import RequestPart

_CHANNEL = r"/channels/{channel_id:\d+}"
_MESSAGE = _CHANNEL + r"/messages/{message_id:\d+}"


class MessageRoutes:
    """The routes for messages with the bot's token."""

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

    def _open_direct(self, request: ApiRequest) -> ApiResponse:
        recipient = str(request.json_object.get("recipient_id"))
        part = RequestPart(recipient, ("recipient_id",))
        part.check_snowflake()
        part.raise_if_any()
        if int(recipient) == request.world.bot.id:
            raise api_error(ErrorCode.NOT_REACHABLE)
        channel = request.world.direct_channels.get(int(recipient))
        if channel is None:
            raise api_error(ErrorCode.INVALID_RECIPIENT)
        return ApiResponse(channel.payload())

    def _list(self, request: ApiRequest) -> ApiResponse:
        channel = require_channel(request)
        query = _parse_page_query(request)
        if not channel.allows_bot(Permissions.READ_MESSAGE_HISTORY):
            return ApiResponse([])
        return ApiResponse([message.payload() for message in _select_page(channel, query)])

    def _get(self, request: ApiRequest) -> ApiResponse:
        channel = require_channel(request)
        require_permission(channel, Permissions.READ_MESSAGE_HISTORY)
        return ApiResponse(require_message(request, channel).payload())

    def _create(self, request: ApiRequest) -> ApiResponse:
        channel = require_channel(request)
        require_writing(channel)
        draft = parse_draft_body(request.body)
        require_draft_permissions(channel, draft)
        nonce = draft.body.get("nonce")
        if draft.body.get("enforce_nonce") and (posted := _find_posted(request, channel, nonce)):
            return ApiResponse(posted.payload())
        message = Message(request.world.snowflakes.next_id(), channel, request.world.bot)
        message.nonce = nonce
        message.flags = int((draft.body.get("flags") or 0) & MessageFlags.SUPPRESS_NOTIFICATIONS)
        _set_reference(request, message, draft)
        if isinstance(channel, Thread):
            channel.unarchive()
        self._writer.create(message, draft)
        return ApiResponse(message.payload())

    def _edit(self, request: ApiRequest) -> ApiResponse:
        channel = require_channel(request)
        message = require_message(request, channel)
        if message.author is not request.world.bot:
            raise api_error(ErrorCode.NOT_THE_AUTHOR)
        require_unarchived(channel)
        if message.is_edit_limited:
            raise api_error(ErrorCode.TOO_MANY_EDITS)
        draft = parse_draft_body(request.body)
        require_draft_permissions(channel, draft)
        self._writer.edit(message, draft)
        return ApiResponse(message.payload())

    def _delete(self, request: ApiRequest) -> ApiResponse:
        channel = require_channel(request)
        message = require_message(request, channel)
        if message.author is not request.world.bot:
            if channel.server_id is None:
                raise api_error(ErrorCode.DIRECT_MESSAGES)
            require_permission(channel, Permissions.MANAGE_MESSAGES)
        require_unarchived(channel)
        request.world.remove_message(message)
        return ApiResponse()


def _find_posted(request: ApiRequest, channel: Channel, nonce: object) -> Message | None:
    """Return the bot's message with a nonce, or None. Discord forgets nonces after some minutes."""
    own = (message for message in channel.messages if message.author is request.world.bot)
    return next((message for message in own if message.nonce is not None and message.nonce == nonce), None)


def require_message(request: ApiRequest, channel: Channel) -> Message:
    """Return the message of the request; raise ApiError if there is none for the bot."""
    # Ephemeral messages can't be reached with the bot's token.
    message = request.world.message(int(request.params["message_id"]))
    if message is None or message.channel is not channel or message.ephemeral_to is not None:
        raise api_error(ErrorCode.UNKNOWN_MESSAGE)
    return message


def _set_reference(request: ApiRequest, message: Message, draft: MessageDraft) -> None:
    part = RequestPart(draft.body)["message_reference"]
    reference = part.value
    if reference is None:
        return
    if part.check_object():
        part["message_id"].check_snowflake()
    part.raise_if_any()
    if not message.channel.allows_bot(Permissions.READ_MESSAGE_HISTORY):
        raise api_error(ErrorCode.NO_REPLY_WITHOUT_HISTORY)
    target = request.world.message(int(reference["message_id"]))
    if target is not None and target.channel is message.channel and target.ephemeral_to is None:
        message.reference, message.kind = target, MessageType.REPLY
    elif reference.get("fail_if_not_exists", True):
        part.add("MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
        part.raise_if_any()


def _parse_page_query(request: ApiRequest) -> dict[str, int]:
    query = RequestPart(request.query)
    names = {"limit", "around", "before", "after"} & request.query.keys()
    numbers = {name: int(request.query[name]) for name in names if query[name].check_snowflake()}
    RequestPart(numbers, errors=query.errors)["limit"].check_integer(1, 100)
    query.raise_if_any()
    return numbers


def _select_page(channel: Channel, query: dict[str, int]) -> list[Message]:
    """Return a page of messages, newest first."""
    limit, found = query.get("limit", 50), channel.public_messages
    if "around" in query:
        older = [message for message in found if message.id < query["around"]][-(limit // 2) :]
        newer = [message for message in found if message.id >= query["around"]]
        found = [*older, *newer[: limit - len(older)]]
    elif "after" in query:
        found = [message for message in found if message.id > query["after"]][:limit]
    elif "before" in query:
        found = [message for message in found if message.id < query["before"]]
    return found[-limit:][::-1]
