"""Sends message content to one person, without its picture if Discord refuses that."""

from dataclasses import replace

from bot.platform.discord.answers import (
    EphemeralMessage,
    Interaction,
    edit_clicked_message,
    is_ephemeral,
    original_response_of,
    send_ephemeral,
)
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import location_of
from bot.platform.discord.late_pictures import add_when_drawn
from bot.platform.discord.picture_attachments import PictureAttacher, StillDrawing, send_with_fallback
from bot.platform.places import Location
from bot.rules.refusals import Refusal


async def attach_picture(
    interaction: Interaction, content: MessageContent, picture_attacher: PictureAttacher, location: Location
) -> MessageContent:
    """Return content with its picture, or with a late one if that takes longer than a user should wait."""
    picture_attacher.note_permissions(interaction)
    try:
        return await picture_attacher.attach_within_deadline(content, location)
    except StillDrawing as late:
        return replace(content, late_picture=late.drawing)


async def attach_picture_if_possible(
    interaction: Interaction, content: MessageContent, picture_attacher: PictureAttacher
) -> MessageContent:
    """Return content with its picture, or in words where the bot can't know the settings of the location."""
    try:
        location = location_of(interaction)
    except Refusal:
        return content
    return await attach_picture(interaction, content, picture_attacher, location)


async def send_ephemeral_content(interaction: Interaction, content: MessageContent) -> EphemeralMessage:
    """Send content in a new ephemeral message, to which a late picture is added when it is drawn."""

    async def send(each: MessageContent) -> EphemeralMessage:
        return await send_ephemeral(interaction, **each.send_kwargs())

    sent = await send_with_fallback(content, send)
    add_when_drawn(content, sent.message_id, sent.edit)
    return sent


async def edit_or_send_ephemeral(click: Interaction, content: MessageContent) -> EphemeralMessage | None:
    """Show content in the clicked message if that is ephemeral, else in a new ephemeral message.

    Returns:
        The message, or None if the clicked message is gone.
    """

    async def send(each: MessageContent) -> EphemeralMessage | None:
        if not await edit_clicked_message(click, **each.edit_kwargs()):
            return None
        return original_response_of(click, click.message.id if click.message else None)

    if not is_ephemeral(click):
        return await send_ephemeral_content(click, content)
    shown = await send_with_fallback(content, send)
    if shown is not None:
        add_when_drawn(content, shown.message_id, shown.edit)
    return shown
