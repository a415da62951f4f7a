"""Adds pictures to messages that were sent in words, because drawing took longer than their users should wait."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from bot.pictures.service import PictureFile
from bot.platform.discord.content import MessageContent
from bot.platform.discord.http import NETWORK_ERRORS
from bot.platform.discord.picture_attachments import send_with_fallback
from bot.platform.tasks import TaskSet

log = logging.getLogger(__name__)

_MOST_SECONDS: Final = 600.0
"""How long a picture may take: the token of an interaction edits messages for 15 minutes."""

EditMessage: TypeAlias = Callable[..., Awaitable[object]]
"""Edits a message with the token of its interaction."""

_waiting: Final = TaskSet("late picture")
"""A task for each message that still lacks its picture."""


def add_when_drawn(content: MessageContent, message_id: int | None, edit: EditMessage) -> None:
    """Edit a message once the late picture of its content is drawn, unless it shows something else by then."""
    if content.late_picture is not None and message_id is not None:
        forget(message_id)
        _waiting.start(message_id, _add(content, content.late_picture, edit))


def forget(message_id: int | None) -> None:
    """Add no picture to a message any more, because it is about to show something else."""
    _waiting.cancel_running(message_id)


def forget_all() -> None:
    """Add no picture to any message any more, because a person on it may have been deleted."""
    _waiting.cancel_all_running()


async def _add(content: MessageContent, drawing: asyncio.Future[PictureFile], edit: EditMessage) -> None:
    try:
        async with asyncio.timeout(_MOST_SECONDS):
            drawn = content.with_picture(await asyncio.shield(drawing))
    except Exception:
        log.exception("a late picture could not be drawn; its message stays in words")
        return

    async def send(each: MessageContent) -> None:
        await edit(**each.edit_kwargs())

    try:
        await send_with_fallback(drawn, send)
    except NETWORK_ERRORS as fault:
        log.info("a late picture was not added to its message: %s", fault)
