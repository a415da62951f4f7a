"""What the bot may do in a channel, and the refusals when it may not."""

from bot.sandbox.errors import Code, api_error, closed
from bot.sandbox.model.channels import Channel, DirectChannel
from bot.sandbox.model.permissions import Permissions
from bot.sandbox.model.threads import Thread
from bot.sandbox.rest.drafts import Draft
from bot.sandbox.rest.routes import Call


def open_channel(call: Call) -> Channel:
    """Return the channel that the address names, if the bot may view it."""
    channel = call.channel
    if not channel.allows(Permissions.VIEW_CHANNEL):
        raise api_error(Code.MISSING_ACCESS)
    return channel


def require(channel: Channel, permission: Permissions) -> None:
    """Refuse what the bot has no permission for."""
    if not channel.allows(permission):
        raise api_error(Code.MISSING_PERMISSIONS)


def require_for(channel: Channel, source: Draft) -> None:
    """Refuse parts of a message that need permissions of their own."""
    if source.needs_embeds:
        require(channel, Permissions.EMBED_LINKS)
    if source.needs_files:
        require(channel, Permissions.ATTACH_FILES)


def require_writing(channel: Channel) -> None:
    """Refuse a new message where the bot cannot write; an archived thread opens unless it is locked."""
    require(channel, Permissions.SEND_MESSAGES)
    if isinstance(channel, DirectChannel) and channel.is_closed:
        raise closed()
    if isinstance(channel, Thread) and channel.is_locked and not channel.allows(Permissions.MANAGE_THREADS):
        raise api_error(Code.ARCHIVED_THREAD if channel.is_archived else Code.LOCKED_THREAD)


def require_unarchived(channel: Channel) -> None:
    """Refuse to change what stands in an archived thread."""
    if isinstance(channel, Thread) and channel.is_archived:
        raise api_error(Code.ARCHIVED_THREAD)
