"""REST: channels and the messages in them."""

from bot.sandbox.errors import Code, api_error
from bot.sandbox.model.channels import Channel
from bot.sandbox.model.messages import Message, MessageFlags, MessageType
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.threads import Thread
from bot.sandbox.rest.access import open_channel, require, require_for, require_unarchived, require_writing
from bot.sandbox.rest.drafts import Draft, Writer, draft_of
from bot.sandbox.rest.routes import Call, Reply, Route
from bot.sandbox.validation.faults import Faults

_CHANNEL = r"/channels/{channel_id:\d+}"
_MESSAGE = _CHANNEL + r"/messages/{message_id:\d+}"


class Messages:
    """What a bot may do in channels on its own account."""

    def __init__(self, writer: Writer) -> None:
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

    def _open_direct(self, call: Call) -> Reply:
        faults = Faults()
        recipient = str(call.object.get("recipient_id"))
        faults.snowflake(("recipient_id",), recipient)
        faults.complain()
        if int(recipient) == call.world.bot.id:
            raise api_error(Code.NOT_REACHABLE)
        channel = call.world.directs.get(int(recipient))
        if channel is None:
            raise api_error(Code.INVALID_RECIPIENT)
        return Reply(channel.payload())

    def _list(self, call: Call) -> Reply:
        channel = open_channel(call)
        wanted = _numbers(call)
        if not channel.allows(Permissions.READ_MESSAGE_HISTORY):
            return Reply([])
        return Reply([message.payload() for message in _page(channel, wanted)])

    def _get(self, call: Call) -> Reply:
        channel = open_channel(call)
        require(channel, Permissions.READ_MESSAGE_HISTORY)
        return Reply(found_message(call, channel).payload())

    def _create(self, call: Call) -> Reply:
        channel = open_channel(call)
        require_writing(channel)
        source = draft_of(call.body)
        require_for(channel, source)
        message = Message(call.world.snowflakes.new(), channel, call.world.bot)
        message.nonce = source.body.get("nonce")
        message.flags = _own_flags(source)
        _refer(call, message, source)
        if isinstance(channel, Thread):
            channel.wake()
        self._writer.create(message, source)
        return Reply(message.payload())

    def _edit(self, call: Call) -> Reply:
        channel = open_channel(call)
        message = found_message(call, channel)
        if message.author is not call.world.bot:
            raise api_error(Code.NOT_THE_AUTHOR)
        require_unarchived(channel)
        if message.is_worn:
            raise api_error(Code.TOO_MANY_EDITS)
        source = draft_of(call.body)
        require_for(channel, source)
        self._writer.edit(message, source)
        return Reply(message.payload())

    def _delete(self, call: Call) -> Reply:
        channel = open_channel(call)
        message = found_message(call, channel)
        if message.author is not call.world.bot:
            if channel.server_id is None:
                raise api_error(Code.DIRECT_MESSAGES)
            require(channel, Permissions.MANAGE_MESSAGES)
        require_unarchived(channel)
        call.world.remove(message)
        return Reply()


def found_message(call: Call, channel: Channel) -> Message:
    """Return the message that the address names, if the bot may know of it."""
    # What only one reader sees is out of reach here.
    message = call.world.message(int(call.params["message_id"]))
    if message is None or message.channel is not channel or message.ephemeral_to is not None:
        raise api_error(Code.UNKNOWN_MESSAGE)
    return message


def _own_flags(source: Draft) -> int:
    return int((source.body.get("flags") or 0) & MessageFlags.SUPPRESS_NOTIFICATIONS)


def _refer(call: Call, message: Message, source: Draft) -> None:
    reference = source.body.get("message_reference")
    if reference is None:
        return
    faults = Faults()
    place = ("message_reference",)
    if faults.object(place, reference):
        faults.snowflake((*place, "message_id"), reference.get("message_id"))
    faults.complain()
    if not message.channel.allows(Permissions.READ_MESSAGE_HISTORY):
        raise api_error(Code.NO_REPLY_WITHOUT_HISTORY)
    target = call.world.message(int(reference["message_id"]))
    if target is not None and target.channel is message.channel and target.ephemeral_to is None:
        message.reference, message.kind = target, MessageType.REPLY
    elif reference.get("fail_if_not_exists", True):
        faults.add(place, "MESSAGE_REFERENCE_UNKNOWN_MESSAGE", "Unknown message")
        faults.complain()


def _numbers(call: Call) -> dict[str, int]:
    faults = Faults()
    names = {"limit", "around", "before", "after"} & call.query.keys()
    numbers = {name: int(call.query[name]) for name in names if faults.snowflake((name,), call.query[name])}
    faults.whole(("limit",), numbers.get("limit"), 1, 100)
    faults.complain()
    return numbers


def _page(channel: Channel, wanted: dict[str, int]) -> list[Message]:
    """Return messages newest first, as Discord lists them."""
    limit, found = wanted.get("limit", 50), channel.public
    if "around" in wanted:
        older = [message for message in found if message.id < wanted["around"]][-(limit // 2) :]
        newer = [message for message in found if message.id >= wanted["around"]]
        found = [*older, *newer[: limit - len(older)]]
    elif "after" in wanted:
        found = [message for message in found if message.id > wanted["after"]][:limit]
    elif "before" in wanted:
        found = [message for message in found if message.id < wanted["before"]]
    return found[-limit:][::-1]
