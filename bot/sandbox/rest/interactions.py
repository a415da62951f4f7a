"""REST: initial responses to interactions, and followups with their tokens."""

from typing import Any, assert_never

from bot.sandbox.errors import ErrorCode, api_error
from bot.sandbox.model.interactions import (
    CallbackType,
    Interaction,
    InteractionKind,
    InteractionService,
    InteractionState,
)
from bot.sandbox.model.messages import Message, MessageFlags, MessageType
from bot.sandbox.model.world import InteractionChange, World
from bot.sandbox.rest.drafts import MessageDraft, MessageWriter, parse_draft, parse_draft_body
from bot.sandbox.rest.failures import FaultInjector
from bot.sandbox.rest.routes import ApiRequest, ApiResponse, Route
from bot.sandbox.validation.commands import check_choices
from bot.sandbox.validation.request_part import RequestPart
from bot.sandbox.wire import Json

_WEBHOOK = r"/webhooks/{application_id:\d+}/{token}"
_MESSAGE = _WEBHOOK + r"/messages/{message_id:@original|\d+}"

_DATA_PATH = ("data",)
_REPLIES = (CallbackType.PONG, CallbackType.MESSAGE, CallbackType.DEFERRED_MESSAGE)
_UPDATES = (CallbackType.DEFERRED_UPDATE, CallbackType.UPDATE)


def _allowed_callbacks(interaction: Interaction) -> tuple[CallbackType, ...]:
    match interaction.kind:
        case InteractionKind.COMMAND:
            return _REPLIES
        case InteractionKind.COMPONENT:
            return (*_REPLIES, *_UPDATES)
        case InteractionKind.AUTOCOMPLETE:
            return (CallbackType.CHOICES,)


class InteractionRoutes:
    """The routes that use the token of an interaction."""

    def __init__(
        self, world: World, interactions: InteractionService, writer: MessageWriter, fault_injector: FaultInjector
    ) -> None:
        self._world = world
        self._fault_injector = fault_injector
        self._interactions = interactions
        self._writer = writer

    def routes(self) -> list[Route]:
        """Return the routes; the token in the path is the only authorization."""
        callback = r"/interactions/{interaction_id:\d+}/{token}/callback"
        return [
            Route("POST", callback, self._callback, open_to_all=True),
            Route("POST", _WEBHOOK, self._follow_up, open_to_all=True),
            Route("GET", _MESSAGE, self._get, open_to_all=True),
            Route("PATCH", _MESSAGE, self._edit, open_to_all=True),
            Route("DELETE", _MESSAGE, self._delete, open_to_all=True),
        ]

    # --- initial responses

    def _callback(self, request: ApiRequest) -> ApiResponse:
        interaction = self._require_waiting(request)
        requested = RequestPart(request.json_object.get("type"), ("type",))
        requested.check_one_of(_allowed_callbacks(interaction))
        requested.raise_if_any()
        kind = CallbackType(requested.value)
        data = _require_data(kind, request.json_object.get("data"))
        self._apply(interaction, kind, data, request)
        self._world.notify(InteractionChange(interaction.id))
        if request.query.get("with_response", "").lower() in {"1", "true"}:
            return ApiResponse(_callback_response(interaction))
        return ApiResponse()

    def _require_waiting(self, request: ApiRequest) -> Interaction:
        interaction = self._interactions.find_by_token(request.params["token"])
        if interaction is None or str(interaction.id) != request.params["interaction_id"]:
            raise api_error(ErrorCode.UNKNOWN_INTERACTION)
        if interaction.state is not InteractionState.WAITING:
            has_response = interaction.state is InteractionState.RESPONDED
            raise api_error(ErrorCode.ALREADY_ACKNOWLEDGED if has_response else ErrorCode.UNKNOWN_INTERACTION)
        return interaction

    def _apply(self, interaction: Interaction, kind: CallbackType, data: Json, request: ApiRequest) -> None:
        original = interaction.message
        match kind:
            case CallbackType.MESSAGE:
                original = self._write(interaction, parse_draft(data, request.body.uploads, _DATA_PATH))
            case CallbackType.DEFERRED_MESSAGE:
                original = self._new_reply(interaction, parse_draft(data, (), _DATA_PATH).is_ephemeral)
                original.flags |= MessageFlags.LOADING
                interaction.add_reply(original)
                self._world.add_message(original)
            case CallbackType.UPDATE:
                draft = parse_draft(data, request.body.uploads, _DATA_PATH)
                message = _require_live_message(interaction)
                if message.is_edit_limited_for_interactions:
                    raise api_error(ErrorCode.TOO_MANY_EDITS)
                self._writer.edit(message, draft)
            case CallbackType.CHOICES:
                interaction.choices = check_choices(interaction, data)
            case CallbackType.DEFERRED_UPDATE:
                if self._fault_injector.refuses_deferrals:
                    _require_live_message(interaction)
            case CallbackType.PONG:
                pass
            case _:
                assert_never(kind)
        interaction.record_response(kind, original)

    # --- followups

    def _follow_up(self, request: ApiRequest) -> ApiResponse:
        interaction = self._require_acknowledged(request)
        draft = parse_draft_body(request.body)
        original = interaction.original
        if original is not None and original.loading:
            # The first followup after a deferral fills the deferred response.
            self._rewrite(interaction, original, draft)
            return ApiResponse(original.payload())
        if interaction.is_out_of_follow_ups:
            raise api_error(ErrorCode.TOO_MANY_FOLLOW_UPS)
        return ApiResponse(self._write(interaction, draft).payload())

    def _get(self, request: ApiRequest) -> ApiResponse:
        return ApiResponse(_require_own_message(request, self._require_acknowledged(request)).payload())

    def _edit(self, request: ApiRequest) -> ApiResponse:
        interaction = self._require_acknowledged(request)
        message = _require_own_message(request, interaction)
        self._rewrite(interaction, message, parse_draft_body(request.body))
        return ApiResponse(message.payload())

    def _delete(self, request: ApiRequest) -> ApiResponse:
        interaction = self._require_acknowledged(request)
        message = _require_own_message(request, interaction)
        self._world.remove_message(message)
        if message is interaction.original:
            interaction.finish_deferred()
        return ApiResponse()

    def _require_acknowledged(self, request: ApiRequest) -> Interaction:
        interaction = self._interactions.find_by_token(request.params["token"])
        if request.params["application_id"] != str(self._world.bot.id):
            raise api_error(ErrorCode.UNKNOWN_WEBHOOK)
        if interaction is None:
            # The token has expired or never existed.
            raise api_error(ErrorCode.INVALID_WEBHOOK_TOKEN)
        if interaction.state is not InteractionState.RESPONDED:
            raise api_error(ErrorCode.UNKNOWN_WEBHOOK)
        return interaction

    # --- writing

    def _write(self, interaction: Interaction, draft: MessageDraft) -> Message:
        message = self._new_reply(interaction, draft.is_ephemeral)
        self._writer.create(message, draft)
        interaction.add_reply(message)
        return message

    def _rewrite(self, interaction: Interaction, message: Message, draft: MessageDraft) -> None:
        self._writer.edit(message, draft)
        if message is interaction.original:
            interaction.finish_deferred()

    def _new_reply(self, interaction: Interaction, ephemeral: bool) -> Message:  # noqa: FBT001 - as the draft says
        message = Message(self._world.snowflakes.next_id(), interaction.channel, self._world.bot)
        message.metadata = interaction.metadata()
        if ephemeral:
            message.ephemeral_to = interaction.user.id
            message.flags |= MessageFlags.EPHEMERAL
        _set_kind_and_reference(message, interaction.original or interaction.message, interaction.original)
        return message


def _set_kind_and_reference(message: Message, target: Message | None, original: Message | None) -> None:
    """Set the message type: the result of a command, or a reply to another message."""
    if original is not None and message.metadata is not None:
        message.metadata["original_response_message_id"] = str(original.id)
    if target is None:
        message.kind = MessageType.COMMAND
    elif target.ephemeral_to is None or target.ephemeral_to == message.ephemeral_to:
        message.kind, message.reference = MessageType.REPLY, target


def _require_data(kind: CallbackType, value: Any) -> Json:
    data = RequestPart(value, _DATA_PATH)
    if value is not None:
        data.check_object()
    elif kind is CallbackType.CHOICES:
        data.add_missing()
    data.raise_if_any()
    return value or {}


def _require_live_message(interaction: Interaction) -> Message:
    """Return the clicked message; raise ApiError if it is deleted."""
    if interaction.message is None or interaction.message.deleted:
        raise api_error(ErrorCode.UNKNOWN_MESSAGE)
    return interaction.message


def _require_own_message(request: ApiRequest, interaction: Interaction) -> Message:
    message_id = request.params["message_id"]
    message = interaction.original if message_id == "@original" else request.world.message(int(message_id))
    if message is None or message.deleted or not interaction.owns(message):
        raise api_error(ErrorCode.UNKNOWN_MESSAGE)
    return message


def _callback_response(interaction: Interaction) -> Json:
    summary: Json = {"id": str(interaction.id), "type": int(interaction.kind)}
    response: Json = {"interaction": summary}
    message = interaction.original
    if message is None or interaction.callback_type is None:
        return response
    summary["channel_id"] = str(message.channel.id)
    if message.channel.server_id is not None:
        summary["guild_id"] = str(message.channel.server_id)
    summary["response_message_id"] = str(message.id)
    summary["response_message_loading"] = message.loading
    summary["response_message_ephemeral"] = message.ephemeral_to is not None
    if interaction.callback_type is not CallbackType.DEFERRED_UPDATE:
        is_update = interaction.callback_type is CallbackType.UPDATE
        kind = CallbackType.UPDATE if is_update else CallbackType.MESSAGE
        response["resource"] = {"type": int(kind), "message": message.payload()}
    return response
