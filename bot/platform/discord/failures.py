"""What failed requests mean for a table."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import discord

from bot.platform.discord.errors import (
    ChannelDeleted,
    ChannelUnreachable,
    DeliveryFailed,
    DiscordTimeout,
    DiscordUnavailable,
    MessageGone,
    RetryLater,
    ThreadArchived,
    TooManyEdits,
)
from bot.platform.discord.http import TOO_MANY_EDITS, UNKNOWN_CHANNEL

_ERRORS_BY_CODE: Final[Mapping[int, type[MessageGone | ChannelUnreachable]]] = {
    UNKNOWN_CHANNEL: ChannelDeleted,
    10008: MessageGone,
    TOO_MANY_EDITS: TooManyEdits,
    50083: ThreadArchived,
    160005: ThreadArchived,  # archived and locked
}
"""What Discord's error codes mean for a table."""


def classify_error(fault: Exception) -> MessageGone | ChannelUnreachable | DeliveryFailed:
    """Return what a failed request means for the table."""
    if isinstance(fault, TimeoutError):
        return DiscordTimeout(str(fault))
    if not isinstance(fault, discord.HTTPException) or fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return DiscordUnavailable(str(fault))
    if (meaning := _ERRORS_BY_CODE.get(fault.code)) is not None:
        return meaning(str(fault))
    match fault:
        case discord.HTTPException(status=HTTPStatus.TOO_MANY_REQUESTS):
            return RetryLater(str(fault))
        case _:
            # Refused for good: the same request would be refused again.
            return ChannelUnreachable(str(fault))
