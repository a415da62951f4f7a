"""Sends, finds and deletes the messages of notices."""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Final

import discord
from discord.utils import time_snowflake

from bot.platform.discord.content import Button, Json
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed, RefusesDirectMessages
from bot.platform.discord.http import (
    NETWORK_ERRORS,
    UNKNOWN_CHANNEL,
    MessageClient,
    Request,
    delete_request,
    is_retryable,
    post_text,
    reading,
)
from bot.platform.discord.languages import Languages
from bot.platform.discord.rate_limits import Urgency
from bot.platform.notices.storage import Notice, NoticeT

log = logging.getLogger(__name__)

_CLOCK_SKEW: Final = timedelta(minutes=5)
"""How far Discord's clock may lag behind ours."""

_SEARCH_LIMIT: Final = 100
"""Discord's limit for one request."""


@dataclass(frozen=True, slots=True)
class Line:
    """The text of a notice, the people it notifies, and its buttons."""

    text: str
    mentions: Sequence[int] = ()
    buttons: tuple[Button, ...] = ()
    urgency: Urgency = Urgency.REMINDER


class MessageSender:
    """Sends, finds and deletes the messages of notices."""

    def __init__(self, message_client: MessageClient, languages: Languages) -> None:
        self._message_client = message_client
        self.languages = languages

    async def post(self, notice: NoticeT, line: Line) -> NoticeT:
        """Post a line in the channel of a notice, and return the notice with its message's id.

        Raises:
            ChannelUnreachable: The bot can't post there.
            DeliveryFailed: It is unknown whether the message was sent; a retry may help.
        """
        return replace(notice, message_id=await self._post(notice.channel_id, line))

    async def post_direct(self, notice: NoticeT, line: Line) -> NoticeT:
        """Send a line, without buttons, to the one person it mentions; return the notice with its message's id.

        Raises:
            RefusesDirectMessages: The person accepts no direct messages.
            DeliveryFailed: A retry may help.
        """
        channel_id, message_id = await self.send_direct(replace(line, buttons=()))
        return replace(notice, channel_id=channel_id, message_id=message_id)

    async def send_direct(self, line: Line) -> tuple[int, int]:
        """Send a line to the one person it mentions, and return the ids of channel and message; raise alike."""
        (user_id,) = line.mentions
        try:
            channel_id = await self._message_client.open_direct_channel(user_id)
            return channel_id, await self._post(channel_id, line)
        except ChannelUnreachable as fault:
            raise RefusesDirectMessages(str(fault)) from fault
        except NETWORK_ERRORS as fault:
            _raise_if_retryable(fault)
            raise RefusesDirectMessages(str(fault)) from fault

    async def _post(self, channel_id: int, line: Line) -> int:
        return await post_text(
            self._message_client, channel_id, line.mentions, line.text, buttons=line.buttons, urgency=line.urgency
        )

    async def find(self, notice: Notice, recognises: Callable[[Json], bool]) -> int | None:
        """Return the id of the bot's first recognised message since a notice was stored.

        Raises:
            DeliveryFailed: The search failed for now.
        """
        if self._message_client.bot_id is None:
            return None
        since = time_snowflake(notice.noted_at - _CLOCK_SKEW)
        recent = Request("GET", notice.channel_id, query={"limit": str(_SEARCH_LIMIT), "after": str(since)})
        try:
            messages = await self._message_client.send_with_retries(recent, Urgency.DELETION)
            bot_id = str(self._message_client.bot_id)
            with reading():
                # Discord returns the newest first.
                own = (message for message in reversed(messages) if message["author"]["id"] == bot_id)
                return next((int(message["id"]) for message in own if recognises(message)), None)
        except NETWORK_ERRORS as fault:
            _raise_if_retryable(fault)
            return None

    async def delete(self, channel_id: int, message_id: int) -> None:
        """Delete a message if it exists and can be deleted.

        Raises:
            DeliveryFailed: Deleting failed for now.
        """
        try:
            await self._message_client.send_with_retries(delete_request(channel_id, message_id), Urgency.DELETION)
        except NETWORK_ERRORS as fault:
            _raise_if_retryable(fault)

    async def has_channel(self, channel_id: int) -> bool:
        """Return whether a channel or thread exists, even if the bot may not read it.

        Raises:
            DeliveryFailed: The request failed for now.
        """
        newest = Request("GET", channel_id, query={"limit": "1"})
        try:
            await self._message_client.send_with_retries(newest, Urgency.DELETION)
        except NETWORK_ERRORS as fault:
            if isinstance(fault, discord.HTTPException) and fault.code == UNKNOWN_CHANNEL:
                return False
            _raise_if_retryable(fault)
        return True


def button_ids(message: Json) -> set[str]:
    """Return the custom ids of a message's buttons."""
    return {button.get("custom_id", "") for row in message["components"] for button in row.get("components", ())}


def _raise_if_retryable(fault: Exception) -> None:
    """Raise DeliveryFailed if a retry may help."""
    if not isinstance(fault, discord.HTTPException) or is_retryable(fault):
        raise DeliveryFailed(str(fault)) from fault
    # Too many edits of an old message (30046) can't be the cause, because nothing is edited here.
    log.info("a message could not be found or deleted: %s", fault)
