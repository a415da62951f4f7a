"""What the bot may do in a channel, and the refusals when it may not."""

from bot.sandbox.errors import ErrorCode, api_error, direct_messages_closed
from bot.sandbox.model.channels import Channel, DirectChannel
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.threads import Thread
from bot.sandbox.rest.drafts import MessageDraft
from bot.sandbox.rest.routes import ApiRequest


def require_channel(call: ApiRequest) -> Channel:
    """Return the channel that the address names, if the bot may view it."""
    channel = call.channel
    if not channel.allows_bot(Permissions.VIEW_CHANNEL):
        raise api_error(ErrorCode.MISSING_ACCESS)
    return channel


def require_permission(channel: Channel, permission: Permissions) -> None:
    """Refuse what the bot has no permission for."""
    if not channel.allows_bot(permission):
        raise api_error(ErrorCode.MISSING_PERMISSIONS)


def require_draft_permissions(channel: Channel, source: MessageDraft) -> None:
    """Refuse parts of a message that need permissions of their own."""
    if source.has_embeds:
        require_permission(channel, Permissions.EMBED_LINKS)
    if source.has_files:
        require_permission(channel, Permissions.ATTACH_FILES)


def require_writing(channel: Channel) -> None:
    """Refuse a new message where the bot cannot write; an archived thread opens unless it is locked."""
    require_permission(channel, Permissions.SEND_MESSAGES)
    if isinstance(channel, DirectChannel) and channel.is_closed:
        raise direct_messages_closed()
    if isinstance(channel, Thread) and channel.is_locked and not channel.allows_bot(Permissions.MANAGE_THREADS):
        raise api_error(ErrorCode.ARCHIVED_THREAD if channel.is_archived else ErrorCode.LOCKED_THREAD)


def require_unarchived(channel: Channel) -> None:
    """Refuse to change what stands in an archived thread."""
    if isinstance(channel, Thread) and channel.is_archived:
        raise api_error(ErrorCode.ARCHIVED_THREAD)
