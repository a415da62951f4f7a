"""Posts tables in response to commands."""

import contextlib
import logging
from collections.abc import Awaitable, Callable
from functools import partial

import discord

from bot.platform.discord.answers import (
    UNKNOWN_INTERACTION,
    Interaction,
    is_overtaken,
    require_no_response,
    send_ephemeral,
)
from bot.platform.discord.callbacks import CallbackClient, CallbackNotAccepted
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed, PostedMeanwhile
from bot.platform.discord.http import NETWORK_ERRORS
from bot.platform.discord.picture_attachments import send_with_fallback
from bot.tables.host import Host
from bot.tables.shown.links import table_link
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.table import Table
from bot.words import gettext as _

log = logging.getLogger(__name__)


class TablePosts:
    """Posts tables anew, in responses where that is possible, and removes the messages that they replace."""

    def __init__(self, host: Host, table_messages: DiscordTableMessages, callback_client: CallbackClient) -> None:
        self._host = host
        self._table_messages = table_messages
        self._callback_client = callback_client

    async def answer_with(self, command: Interaction, table: Table) -> None:
        """Respond with the table, and remove the message that has shown it until now."""
        if not await self.repost(table, partial(self._post, command, table)):
            await send_ephemeral(command, _("The table is saved, but I can't post it here yet. I'll keep trying."))

    async def repost(self, table: Table, post: Callable[[], Awaitable[int | None]]) -> bool:
        """Post a table and remove the message that it replaces; return False if it can't be posted yet.

        Args:
            table: The table.
            post: Posts it and returns the id of the message that it replaces, if any.
        """
        try:
            replaced = await post()
        except (DeliveryFailed, ChannelUnreachable) as fault:
            log.warning("table %s could not be posted and will be tried again: %s", table.id, fault)
            self._host.publisher.wake(table.id)
            return False
        if replaced is not None:
            await self._host.publisher.remove_replaced(table, replaced)
        return True

    async def _post(self, command: Interaction, table: Table) -> int | None:
        """Post the table, in the response if that is still possible, and return the id of the message it replaces."""
        self._table_messages.picture_attacher.note_permissions(command)

        async def send(now: Table) -> int:
            content = await self._table_messages.build_with_picture(now)
            await require_no_response(command)
            note_refusal = partial(self._table_messages.picture_attacher.note_refusal, now.header.location)
            return await send_with_fallback(content, partial(self._callback_client.post, command), note_refusal)

        publisher = self._host.publisher
        try:
            return await publisher.repost(table.id, send, before=table)
        except (CallbackNotAccepted, discord.InteractionResponded, *NETWORK_ERRORS) as fault:
            is_unknown = isinstance(fault, discord.HTTPException) and fault.code == UNKNOWN_INTERACTION
            if not is_unknown and is_overtaken(fault):
                raise
            # It took so long that the response was deferred, so it can only be ephemeral; or Discord did not take it.
            log.debug("table %s is posted without the command's response: %s", table.id, fault)
            replaced = await self._post_below(table)
            if is_unknown:
                return replaced
        except PostedMeanwhile:
            replaced = None
        now = await self._host.service.table(table.id)
        await send_ephemeral(command, _("Here it is: {link}").format(link=table_link(now)))
        return replaced

    async def _post_below(self, table: Table) -> int | None:
        with contextlib.suppress(PostedMeanwhile):
            return await self._host.publisher.repost(table.id, before=table)
        return None
