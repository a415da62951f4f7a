"""Shows tables in Discord's channels."""

import logging
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord

from bot.rules.screen import Draft
from bot.tables.model import Header, Status, TableId
from bot.tables.runtime.delivery import (
    ChannelDeleted,
    ChannelUnreachable,
    DeliveryFailed,
    DiscordTimeout,
    DiscordUnavailable,
    MessageGone,
    RetryLater,
    ShowTable,
    ThreadArchived,
    TooManyEdits,
)
from bot.tables.table import Table
from bot.ui.delivery.http import NETWORK_ERRORS, TOO_MANY_EDITS
from bot.ui.delivery.message_client import MessageClient, Request, delete_request, edit_request, post_request
from bot.ui.delivery.payloads import build_text_json
from bot.ui.delivery.picture_attachments import PictureAttacher, send_with_fallback
from bot.ui.delivery.rate_limits import Permit, Urgency
from bot.ui.drafts import Drafts
from bot.ui.render.links import table_link
from bot.ui.render.lobby import render_lobby
from bot.ui.render.message import Button, Json, MessageContent
from bot.ui.render.table_message import PLAIN_COLOUR, render_closed, render_game, render_put_aside
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)

_CANCELLED = N_("This table was cancelled. It doesn't count.")
_AGREED = N_("All players agreed to close this table. It doesn't count.")
_EXPIRED = N_("This table was closed after an hour without activity. `/{command} new` opens another.")

_ABANDONED = N_(
    "This game was closed because no one had played for a long time. It doesn't count. `/{command} new` opens another."
)
_HELD = N_("This table is on hold: its moves no longer lead to the same position. `/table cancel` ends it.")
_CLOSED = {
    Status.CANCELLED: _CANCELLED,
    Status.EXPIRED: _EXPIRED,
    Status.ABANDONED: _ABANDONED,
    Status.FINISHED: N_("This table is over, but its result can no longer be shown."),
}
"""What is said of tables that are over and show no game."""

_CLOSED_WITHOUT_GAME = {
    Status.CANCELLED: _CANCELLED,
    Status.EXPIRED: N_("This table was closed after an hour without activity."),
    Status.ASIDE: N_("This game was put aside to make room for another table. You can resume it once I host it again."),
    Status.HELD_ASIDE: N_("This table couldn't continue, so it was put aside to make room for another."),
}
"""How tables have ended whose game is not here."""

MOVED = N_("This table has moved: {link}")

_MISSING_PERMISSIONS: Final = 50013
_TOO_MANY: Final = 429
_SERVER_FAULT: Final = 500

_ERRORS_BY_CODE: Final[Mapping[int, type[MessageGone | ChannelUnreachable]]] = {
    10003: ChannelDeleted,
    10008: MessageGone,
    TOO_MANY_EDITS: TooManyEdits,
    50083: ThreadArchived,
    160005: ThreadArchived,  # archived and locked
}
"""What Discord's numbers mean for a table."""

MAX_PREPARED: Final = 64
"""So many frames are kept that were made ahead, and that nobody has asked for yet."""


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A frame that was made before its table was saved."""

    table: Table
    draft: Draft
    content: MessageContent

    def matches(self, table: Table, draft: Draft) -> bool:
        """Tell whether it shows a table as it stands: another process may have made another move meanwhile."""
        header, now = self.table.header, table.header
        return self.table.state is table.state and header.revision == now.revision and self.draft == draft


class DiscordTableMessages:
    """Frames tables, and posts and edits them with the bot's own token."""

    def __init__(self, message_client: MessageClient, drafts: Drafts, picture_attacher: PictureAttacher) -> None:
        self._message_client = message_client
        self.drafts = drafts
        self.picture_attacher = picture_attacher
        self._prepared: OrderedDict[TableId, _Prepared] = OrderedDict()

    def prepare(self, table: Table) -> None:
        """Make the frame and the picture of a table whose newest move is on its way to the disk."""
        draft = self.drafts.of(table)
        self._prepared[table.id] = _Prepared(
            table, draft, self.picture_attacher.prerender(self._build_content(table), table.header.place)
        )
        self._prepared.move_to_end(table.id)
        while len(self._prepared) > MAX_PREPARED:
            self._prepared.popitem(last=False)

    def build_content(self, table: Table) -> MessageContent:
        """Return what is shown of a table as it stands."""
        ready = self._prepared.get(table.id)
        if ready is None or ready.table.header.revision > table.header.revision:
            # The move that it was made for may still be on its way.
            return self._build_content(table)
        del self._prepared[table.id]
        return ready.content if ready.matches(table, self.drafts.of(table)) else self._build_content(table)

    def _build_content(self, table: Table) -> MessageContent:
        match table.header.status:
            case Status.LOBBY:
                return render_lobby(table)
            case Status.PLAYING | Status.FINISHED if table.state is not None:
                return render_game(table, self.drafts.of(table))
            case Status.ASIDE | Status.HELD_ASIDE:
                return render_put_aside(table)
            case status:
                text = _(_AGREED if table.is_closed_by_agreement else _CLOSED.get(status, _HELD))
                return render_closed(table, text.format(command=table.package.game.info.command))

    @asynccontextmanager
    async def reserve_post(self, table: Table) -> AsyncIterator[ShowTable]:
        """Wait until a table may be posted, and return what posts it at once; raises DeliveryFailed."""
        channel_id = table.header.place.channel_id
        async with self._message_client.permit("POST", channel_id, Urgency.POST) as permit:
            yield partial(self._post, permit)

    @asynccontextmanager
    async def reserve_edit(self, table: Table, *, is_new: bool) -> AsyncIterator[ShowTable]:
        """Wait until a table's message may be edited, and return what edits it at once; raises DeliveryFailed."""
        urgency = Urgency.EDIT if is_new else Urgency.REFRESH
        async with self._message_client.permit("PATCH", table.header.place.channel_id, urgency) as permit:
            yield partial(self._edit, permit)

    async def _post(self, permit: Permit, table: Table) -> int:
        channel_id = table.header.place.channel_id
        return int((await self._show(permit, table, partial(post_request, channel_id)))["id"])

    async def _edit(self, permit: Permit, table: Table) -> int:
        message_id = table.header.message_id or 0
        await self._show(permit, table, partial(edit_request, table.header.place.channel_id, message_id))
        return message_id

    async def _show(self, permit: Permit, table: Table, request: Callable[[MessageContent], Request]) -> Json:
        """Send a table's frame; without its picture where no files may be attached."""
        frame = await self.picture_attacher.attach(self.build_content(table), table.header.place)

        async def send(frame: MessageContent) -> Json:
            told: Json = await self._message_client.send(request(frame), permit)
            return told

        try:
            try:
                return await send_with_fallback(frame, send)
            except discord.Forbidden as fault:
                if frame.picture is None or fault.code != _MISSING_PERMISSIONS:
                    raise
                self.picture_attacher.block_channel(table.header.place.channel_id)
                return await send(frame.without_picture())
        except NETWORK_ERRORS as fault:
            raise classify_error(fault) from fault

    async def link_to_current(self, table: Table, message_id: int) -> None:
        """Let a message that shows a table no longer say where it is.

        Raises MessageGone, ChannelUnreachable and DeliveryFailed.
        """
        moved = build_text_json(_(MOVED).format(link=table_link(table)))
        request = Request("PATCH", table.header.place.channel_id, message_id, moved)
        try:
            await self._message_client.send_with_retries(request, Urgency.DELETION)
        except NETWORK_ERRORS as fault:
            raise classify_error(fault) from fault

    async def remove(self, table: Table, message_id: int) -> None:
        """Delete a message that a newer one has replaced; one that can't be deleted just stays."""
        try:
            await self._message_client.send_with_retries(
                delete_request(table.header.place.channel_id, message_id), Urgency.DELETION
            )
        except NETWORK_ERRORS as fault:
            log.info("message %s could not be deleted: %s", message_id, fault)

    async def mark_closed(self, header: Header) -> None:
        """Say in its message how a table has ended whose game is not here; one that can't be edited just stays."""
        if header.message_id is None:
            return
        frame = MessageContent(
            discord.Embed(description=_(_CLOSED_WITHOUT_GAME[header.status]), colour=PLAIN_COLOUR).to_dict()
        )
        try:
            await self._message_client.send_with_retries(
                edit_request(header.place.channel_id, header.message_id, frame), Urgency.EDIT
            )
        except NETWORK_ERRORS as fault:
            log.info("message %s could not be edited: %s", header.message_id, fault)


async def post_text(
    messenger: MessageClient,
    channel_id: int,
    person_id: int | None,
    text: str,
    *,
    buttons: tuple[Button, ...] = (),
    urgency: Urgency = Urgency.POST,
) -> int:
    """Say something that one person is notified of or nobody, and return its id.

    Raises ChannelUnreachable and DeliveryFailed.
    """
    only: Json = {"parse": [], "users": [] if person_id is None else [str(person_id)]}
    told: Json = {"content": text, "allowed_mentions": only}
    if buttons:
        told["components"] = MessageContent({}, (buttons,)).components()
    try:
        message = await messenger.send_with_retries(Request("POST", channel_id, json=told), urgency)
    except NETWORK_ERRORS as fault:
        raise classify_error(fault) from fault
    return int(message["id"])


def classify_error(fault: Exception) -> MessageGone | ChannelUnreachable | DeliveryFailed:
    """Tell what a failed request means for the table."""
    if isinstance(fault, TimeoutError):
        return DiscordTimeout(str(fault))
    if not isinstance(fault, discord.HTTPException) or fault.status >= _SERVER_FAULT:
        return DiscordUnavailable(str(fault))
    if (meaning := _ERRORS_BY_CODE.get(fault.code)) is not None:
        return meaning(str(fault))
    match fault:
        case discord.NotFound() | discord.Forbidden():
            return ChannelUnreachable(str(fault))
        case discord.HTTPException(status=status) if status == _TOO_MANY:
            return RetryLater(str(fault))
        case _:
            return DeliveryFailed(str(fault))
