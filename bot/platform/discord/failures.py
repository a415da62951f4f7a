"""What failed requests mean for a table."""

from collections.abc import Mapping
from http import HTTPStatus
from typing import Final

import discord

from bot.platform.discord.http import TOO_MANY_EDITS, UNKNOWN_CHANNEL
from bot.tables import delivery

_ERRORS_BY_CODE: Final[Mapping[int, type[delivery.MessageGone | delivery.ChannelUnreachable]]] = {
    UNKNOWN_CHANNEL: delivery.ChannelDeleted,
    10008: delivery.MessageGone,
    TOO_MANY_EDITS: delivery.TooManyEdits,
    50083: delivery.ThreadArchived,
    160005: delivery.ThreadArchived,  # archived and locked
}
"""What Discord's error codes mean for a table."""


def classify_error(fault: Exception) -> delivery.MessageGone | delivery.ChannelUnreachable | delivery.DeliveryFailed:
    """Return what a failed request means for the table."""
    if isinstance(fault, TimeoutError):
        return delivery.DiscordTimeout(str(fault))
    if not isinstance(fault, discord.HTTPException) or fault.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return delivery.DiscordUnavailable(str(fault))
    if (meaning := _ERRORS_BY_CODE.get(fault.code)) is not None:
        return meaning(str(fault))
    match fault:
        case discord.HTTPException(status=HTTPStatus.TOO_MANY_REQUESTS):
            return delivery.RetryLater(str(fault))
        case _:
            # Refused for good: the same request would be refused again.
            return delivery.ChannelUnreachable(str(fault))
