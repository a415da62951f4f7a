"""Sends frames: to everybody or to one person, and in words where Discord does not take the picture."""

import logging
from typing import Any

import discord

from bot.tables.model import Place
from bot.ui.delivery.picture_attachments import Easel, StillDrawing, sent
from bot.ui.interactions.responses import Whispered, first_answer, is_private, rewrite, whisper
from bot.ui.render.message import Frame

log = logging.getLogger(__name__)

Asked = discord.Interaction[Any]


async def drawn_for(asked: Asked, frame: Frame, easel: Easel, place: Place) -> Frame:
    """Return a frame with its picture, for one person who waits for it; in words if that takes too long."""
    easel.heed(asked)
    try:
        return await easel.in_time(frame, place)
    except StillDrawing:
        return frame


async def whisper_frame(asked: Asked, frame: Frame) -> Whispered:
    """Show a frame to whoever asked, in a new message."""

    async def send(each: Frame) -> Whispered:
        return await whisper(asked, **each.posted())

    return await sent(frame, send)


async def turn_page(click: Asked, frame: Frame) -> Whispered | None:
    """Show a frame in the message that was clicked, which must be for that person alone; or else in a new one.

    Return None if the message that was clicked is gone.
    """

    async def send(each: Frame) -> Whispered | None:
        if not await rewrite(click, **each.edited()):
            return None
        return first_answer(click, click.message.id if click.message else None)

    return await sent(frame, send) if is_private(click) else await whisper_frame(click, frame)
