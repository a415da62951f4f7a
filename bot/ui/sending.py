"""Sends frames: to everybody or to one person, and in words where Discord does not take the picture."""

import logging
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

import discord

from bot.ui.frames import Frame
from bot.ui.replies import Whispered, is_answered, whisper

log = logging.getLogger(__name__)

Asked = discord.Interaction[Any]
T = TypeVar("T")

_TOO_LARGE = 413


async def sent(frame: Frame, send: Callable[[Frame], Awaitable[T]]) -> T:
    """Send a frame; without its picture if Discord finds that too large."""
    try:
        return await send(frame)
    except discord.HTTPException as fault:
        if frame.drawn is None or fault.status != _TOO_LARGE:
            raise
        log.warning(
            "a picture of %d bytes is too large for Discord; its frame is shown in words", len(frame.drawn.data)
        )
        return await send(frame.in_words())


async def whisper_frame(asked: Asked, frame: Frame) -> Whispered:
    """Show a frame to whoever asked, in a new message."""

    async def send(each: Frame) -> Whispered:
        return await whisper(asked, **each.posted())

    return await sent(frame, send)


async def turn_page(click: Asked, frame: Frame) -> Whispered:
    """Show a frame in the message that was clicked, which must be for that person alone; or else in a new one."""

    async def send(each: Frame) -> Whispered:
        await click.response.edit_message(**each.edited())
        return Whispered(click.message.id if click.message else None, click.delete_original_response)

    if not is_private(click) or await is_answered(click):
        return await whisper_frame(click, frame)
    return await sent(frame, send)


def is_private(click: Asked) -> bool:
    """Tell whether the message that was clicked is for one person alone; an id that was forged may be anywhere."""
    return click.message is not None and click.message.flags.ephemeral
