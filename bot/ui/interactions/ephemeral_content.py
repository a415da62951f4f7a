"""Sends frames: to everybody or to one person, and in words where Discord does not take the picture."""

import logging
from typing import Any

import discord

from bot.tables.model import Place
from bot.ui.delivery.picture_attachments import PictureAttacher, StillDrawing, send_with_fallback
from bot.ui.interactions.responses import (
    EphemeralMessage,
    edit_clicked_message,
    is_ephemeral,
    original_response_of,
    send_ephemeral,
)
from bot.ui.render.message import MessageContent

log = logging.getLogger(__name__)

Interaction = discord.Interaction[Any]


async def attach_picture(
    asked: Interaction, frame: MessageContent, picture_attacher: PictureAttacher, place: Place
) -> MessageContent:
    """Return a frame with its picture, for one person who waits for it; in words if that takes too long."""
    picture_attacher.note_permissions(asked)
    try:
        return await picture_attacher.attach_within_deadline(frame, place)
    except StillDrawing:
        return frame


async def send_ephemeral_content(asked: Interaction, frame: MessageContent) -> EphemeralMessage:
    """Show a frame to whoever asked, in a new message."""

    async def send(each: MessageContent) -> EphemeralMessage:
        return await send_ephemeral(asked, **each.send_kwargs())

    return await send_with_fallback(frame, send)


async def edit_or_send_ephemeral(click: Interaction, frame: MessageContent) -> EphemeralMessage | None:
    """Show a frame in the message that was clicked, which must be for that person alone; or else in a new one.

    Return None if the message that was clicked is gone.
    """

    async def send(each: MessageContent) -> EphemeralMessage | None:
        if not await edit_clicked_message(click, **each.edit_kwargs()):
            return None
        return original_response_of(click, click.message.id if click.message else None)

    return await send_with_fallback(frame, send) if is_ephemeral(click) else await send_ephemeral_content(click, frame)
