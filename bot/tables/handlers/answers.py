"""Shows tables in the responses to clicks and commands where possible."""

import contextlib
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import discord

from bot.languages import speaking
from bot.platform.discord.answers import (
    UNKNOWN_INTERACTION,
    Interaction,
    acknowledge,
    finish,
    has_response,
    has_settled_response,
    is_ephemeral,
    is_gone,
    is_overtaken,
    is_thinking,
    require_no_response,
    send_ephemeral,
)
from bot.platform.discord.content import MessageContent
from bot.platform.discord.context import permissions_note
from bot.platform.discord.errors import (
    ChannelUnreachable,
    DeliveryFailed,
    MessageGone,
    PostedMeanwhile,
    ThreadArchived,
    TooManyEdits,
)
from bot.platform.discord.hand_over import acknowledge_if_unanswered, is_answered_elsewhere
from bot.platform.discord.http import NETWORK_ERRORS, classify_error
from bot.platform.discord.interaction_responses import CallbackClient, CallbackNotAccepted
from bot.platform.discord.picture_attachments import StillDrawing, send_with_fallback
from bot.platform.observability.trace import get_or_start_trace
from bot.tables.host import Host
from bot.tables.model import TableId
from bot.tables.shown.links import moved_text, table_link
from bot.tables.shown.table_messages import DiscordTableMessages
from bot.tables.table import Table
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)

TABLE_SAVED: Final = N_("Done. If you don't see it yet, type `/table show`.")
THREAD_ARCHIVED: Final = N_(
    "That's saved, but this thread is archived, so I can't update the table. Write something "
    "in the thread, then type `/table show`."
)
_SHOWN = N_("The table is here: {link}")
_MAX_EDIT_WAIT_SECONDS: Final = 10.0
"""How long a click waits for a running edit if only the click's response can show the table."""


class TableResponses:
    """Shows tables in the responses to clicks, or leaves them to the publisher."""

    def __init__(self, host: Host, table_messages: DiscordTableMessages, callback_client: CallbackClient) -> None:
        self._host = host
        self._table_messages = table_messages
        self._callback_client = callback_client

    async def show(
        self, click: Interaction, table: Table, *, drafted_at: int | None = None, is_reworded: bool = False
    ) -> None:
        """Respond with the current table, or acknowledge the click and let the publisher show it.

        Args:
            click: The click.
            table: The table as the click left it.
            drafted_at: The revision at which the click changed only the draft, which is not saved. At that revision,
                the response contains only the buttons.
            is_reworded: Whether the draft changed the title or the rule, so that the response contains everything.
        """
        publisher, again = self._host.publisher, drafted_at is not None
        if has_response(click) and not permissions_note(click):
            self._table_messages.note_answered(click, table)
            publisher.wake(table.id, again=again)
            return
        try:
            if await self._try_show(click, table, drafted_at=None if is_reworded else drafted_at):
                return
        except (StillDrawing, CallbackNotAccepted) as fault:
            await self._leave_to_publisher(click, table, again=again, is_late=isinstance(fault, StillDrawing))
            return
        except discord.InteractionResponded:
            publisher.wake(table.id, again=again)
            return
        except discord.HTTPException as fault:
            if is_answered_elsewhere(fault) and not get_or_start_trace().is_saved:
                return  # the other process answers the click
            if not is_overtaken(fault):
                await self._handle_edit_error(click, fault)
            publisher.wake(table.id, again=True)
            return
        publisher.wake(table.id, again=again)
        await self._link_to_current(click, await self._host.service.table(table.id))

    async def _leave_to_publisher(self, click: Interaction, table: Table, *, again: bool, is_late: bool) -> None:
        """Acknowledge a click. Only the click waits for Discord; the publisher shows the table to everyone."""
        publisher = self._host.publisher
        publisher.wake(table.id, again=again)
        if is_late:
            await self._show_waiting(click, table)
        await acknowledge(click)
        if table.header.location.is_outside:
            # Only now the publisher can use the token of the click.
            self._table_messages.note_answered(click, table)
            publisher.wake(table.id, again=again)
        if permissions_note(click):
            await self.refresh_if_outdated(click, table, table.header.revision - 1)

    async def _show_waiting(self, click: Interaction, table: Table) -> None:
        """Let a die roll in the story until the late picture comes, if the click has no response yet."""
        content = await self._table_messages.build_waiting(table)
        if content is not None and not is_ephemeral(click) and not await has_settled_response(click):
            with contextlib.suppress(CallbackNotAccepted, *NETWORK_ERRORS):
                await self._callback_client.update_words(click, content)

    async def let_other_process_answer(self, click: Interaction, table_id: TableId) -> None:
        """Leave the answer to the process that has saved the click's move, unless that process has ended."""
        if await acknowledge_if_unanswered(click):
            await self._host.service.reload(table_id)
            self._host.publisher.wake(table_id)

    async def refresh_if_outdated(self, click: Interaction, table: Table, revision: int) -> None:
        """Update a message that shows an earlier revision, if possible; the caller must still answer the click."""
        if revision < table.header.revision:
            with contextlib.suppress(StillDrawing, CallbackNotAccepted, discord.InteractionResponded, *NETWORK_ERRORS):
                await self._try_show(click, table)

    async def _try_show(self, click: Interaction, table: Table, *, drafted_at: int | None = None) -> bool:
        """Show the table in the response and return True, or return False if another message must show it.

        If the publisher lacked a permission to show the table, tell the user its name.
        """
        if is_ephemeral(click):
            return False
        publisher, note = self._host.publisher, permissions_note(click)
        was_stuck = publisher.is_stuck(table.id)
        max_wait = _MAX_EDIT_WAIT_SECONDS if note else 0.0
        self._table_messages.picture_attacher.note_permissions(click)
        async with publisher.responding(table.id, _message_id(click), max_wait=max_wait) as now:
            if now is None:
                return False
            buttons_alone = now.header.revision == drafted_at
            await self._respond(click, now, buttons_alone=buttons_alone, lacks_permission=bool(note))
            self._table_messages.note_answered(click, now)
        if was_stuck and note:
            await send_ephemeral(click, note)
        return True

    async def _respond(self, click: Interaction, table: Table, *, buttons_alone: bool, lacks_permission: bool) -> None:
        """Edit the clicked message so that it shows a table.

        If the bot lacks a permission, only the click's token can edit the message, even after the initial response.

        Raises:
            discord.InteractionResponded: The publisher has to edit the message.
        """

        async def edit(content: MessageContent) -> None:
            if lacks_permission and await has_settled_response(click) and not is_thinking(click):
                await self._callback_client.edit_original(click, content, buttons_alone=buttons_alone)
            else:
                await require_no_response(click)
                await self._callback_client.update(click, content, buttons_alone=buttons_alone)

        messages, attacher = self._table_messages, self._table_messages.picture_attacher
        if buttons_alone:
            await edit(await messages.build(table))
            return
        attach = attacher.attach if lacks_permission else attacher.attach_within_deadline
        content = await messages.attach(table, attach)
        with messages.sending(table):
            await send_with_fallback(content, edit, partial(messages.note_refusal, table))

    async def _handle_edit_error(self, click: Interaction, fault: discord.HTTPException) -> None:
        """Answer a click whose message can't be edited; reraise errors with other causes."""
        match classify_error(fault):
            case ThreadArchived():
                await send_ephemeral(click, _(THREAD_ARCHIVED))
            case MessageGone():
                await acknowledge(click)
            case _:
                raise fault

    async def _link_to_current(self, click: Interaction, table: Table) -> None:
        """Acknowledge a click. A message that no longer shows the table becomes a link to the current message."""
        if is_ephemeral(click):
            await finish(click, _(_SHOWN).format(link=table_link(table)))
            return
        if table.header.message_id in (None, _message_id(click)) or await has_settled_response(click):
            await acknowledge(click)
            self._table_messages.note_answered(click, table)
            return
        with speaking(await self._table_messages.language_of(table.header)):
            text = moved_text(table)
        try:
            await self._callback_client.replace_with_text(click, text)
        except CallbackNotAccepted:
            await send_ephemeral(click, text)
        except discord.HTTPException as fault:
            if is_gone(fault):
                await acknowledge(click)
            elif isinstance(classify_error(fault), TooManyEdits):
                await send_ephemeral(click, text)
            else:
                raise


def _message_id(click: Interaction) -> int:
    return click.message.id if click.message is not None else 0


class TablePosts:
    """Posts tables again, in responses where possible, and removes the replaced messages."""

    def __init__(self, host: Host, table_messages: DiscordTableMessages, callback_client: CallbackClient) -> None:
        self._host = host
        self._table_messages = table_messages
        self._callback_client = callback_client

    async def answer_with(self, command: Interaction, table: Table) -> None:
        """Respond with the table, and remove its former message."""
        if table.header.location.is_outside:
            with contextlib.suppress(PostedMeanwhile):
                await self._host.publisher.repost(
                    table.id, partial(self._table_messages.post_privately, command), before=table
                )
            return
        if not await self.repost(table, partial(self._post, command, table)):
            await send_ephemeral(command, _("The table is saved, but I can't post it here yet. I'll keep trying."))

    async def repost(self, table: Table, post: Callable[[], Awaitable[int | None]]) -> bool:
        """Post a table and remove its former message; return False if posting is not possible yet.

        Args:
            table: The table.
            post: Posts the table and returns the id of the replaced message, if any.
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
        """Post the table, in the response if still possible, and return the id of the replaced message."""
        self._table_messages.picture_attacher.note_permissions(command)

        async def send(now: Table) -> int:
            content = await self._table_messages.build_with_picture(now)
            await require_no_response(command)
            with self._table_messages.sending(now):
                note_refusal = partial(self._table_messages.note_refusal, now)
                return await send_with_fallback(content, partial(self._callback_client.post, command), note_refusal)

        publisher = self._host.publisher
        try:
            return await publisher.repost(table.id, send, before=table)
        except (CallbackNotAccepted, discord.InteractionResponded, *NETWORK_ERRORS) as fault:
            is_unknown = isinstance(fault, discord.HTTPException) and fault.code == UNKNOWN_INTERACTION
            if not is_unknown and is_overtaken(fault):
                raise
            # The response was deferred because it took long, so it can only be ephemeral; or Discord did not accept it.
            log.debug("table %s is posted without the command's response: %s", table.id, fault)
            replaced = None
            with contextlib.suppress(PostedMeanwhile):
                replaced = await publisher.repost(table.id, before=table)
            if is_unknown:
                return replaced
        except PostedMeanwhile:
            replaced = None
        now = await self._host.service.table(table.id)
        await send_ephemeral(command, _("Here it is: {link}").format(link=table_link(now)))
        return replaced
