"""Permission checks of REST requests."""

from bot.sandbox.errors import ApiError, ErrorCode, api_error
from bot.sandbox.model.channels import Channel, DirectChannel
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.threads import Thread
from bot.sandbox.rest.drafts import MessageDraft
from bot.sandbox.rest.routes import ApiRequest


def require_channel(request: ApiRequest) -> Channel:
    """Return the channel of the request; raise ApiError if the bot may not view it."""
    channel = request.channel
    if not channel.allows_bot(Permissions.VIEW_CHANNEL):
        raise api_error(ErrorCode.MISSING_ACCESS)
    return channel


def require_permission(channel: Channel, permission: Permissions) -> None:
    """Raise ApiError if the bot lacks a permission."""
    if not channel.allows_bot(permission):
        raise api_error(ErrorCode.MISSING_PERMISSIONS)


def require_draft_permissions(channel: Channel, draft: MessageDraft) -> None:
    """Raise ApiError if the bot lacks the permissions for a message's embeds or files."""
    if draft.body.get("embeds"):
        require_permission(channel, Permissions.EMBED_LINKS)
    if draft.uploads:
        require_permission(channel, Permissions.ATTACH_FILES)


def require_writing(channel: Channel) -> None:
    """Raise ApiError if the bot can't post here; posting opens an archived thread unless it is locked."""
    require_permission(channel, Permissions.SEND_MESSAGES)
    if isinstance(channel, DirectChannel) and channel.is_closed:
        # Discord answers 403 here and 400 elsewhere.
        raise ApiError(403, ErrorCode.NOT_REACHABLE, ErrorCode.NOT_REACHABLE.message)
    if isinstance(channel, Thread) and channel.is_locked and not channel.allows_bot(Permissions.MANAGE_THREADS):
        raise api_error(ErrorCode.ARCHIVED_THREAD if channel.is_archived else ErrorCode.LOCKED_THREAD)


def require_unarchived(channel: Channel) -> None:
    """Raise ApiError if the channel is an archived thread."""
    if isinstance(channel, Thread) and channel.is_archived:
        raise api_error(ErrorCode.ARCHIVED_THREAD)
