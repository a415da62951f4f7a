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
from bot.tables.runtime.publisher import (
    Asleep,
    Carrier,
    MessageGone,
    NotNow,
    NotShown,
    OutOfReach,
    Silent,
    TooManyEdits,
    Unanswered,
    Vanished,
)
from bot.tables.table import Table
from bot.ui.delivery.http import NETWORK_FAULTS, TOO_MANY_EDITS
from bot.ui.delivery.messenger import Messenger, Request, deleting, editing, posting
from bot.ui.delivery.payloads import text_alone
from bot.ui.delivery.picture_attachments import Easel, sent
from bot.ui.delivery.rate_limits import Permit, Urgency
from bot.ui.drafts import Drafts
from bot.ui.render.links import jump_link
from bot.ui.render.lobby import lobby_frame
from bot.ui.render.message import Frame, Json, Press
from bot.ui.render.table_message import PLAIN_COLOUR, aside_frame, closed_frame, game_frame
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)

_CANCELLED = N_("This table was cancelled. Nothing is counted.")
_AGREED = N_("All who played agreed to close this table. Nothing is counted.")
_EXPIRED = N_("This table was closed: nobody did anything about it for an hour. `/{command} new` opens another.")

_ABANDONED = N_(
    "This game was closed: nobody had played for a long time, and nobody kept it open. Nothing is counted. "
    "`/{command} new` opens another."
)
_HELD = N_("This table is held: its moves no longer lead to the same position. `/table cancel` ends it.")
_CLOSED = {
    Status.CANCELLED: _CANCELLED,
    Status.EXPIRED: _EXPIRED,
    Status.ABANDONED: _ABANDONED,
    Status.FINISHED: N_("This table is over, but its result can't be shown any more."),
}
"""What is said of tables that are over and show no game."""

_STRUCK = {
    Status.CANCELLED: _CANCELLED,
    Status.EXPIRED: N_("This table was closed: nobody did anything about it for an hour."),
    Status.ASIDE: N_("This game was put aside to make room for another table. It can be resumed once I host it again."),
    Status.HELD_ASIDE: N_("This table, which could not be played on, was put aside to make room for another."),
}
"""How tables have ended whose game is not here."""

MOVED = N_("This table has moved: {link}")

_MISSING_PERMISSIONS: Final = 50013
_TOO_MANY: Final = 429
_SERVER_FAULT: Final = 500

_MEANINGS: Final[Mapping[int, type[MessageGone | OutOfReach]]] = {
    10003: Vanished,
    10008: MessageGone,
    TOO_MANY_EDITS: TooManyEdits,
    50083: Asleep,
    160005: Asleep,  # archived and locked
}
"""What Discord's numbers mean for a table."""

_MOST_READY: Final = 64
"""So many frames are kept that were made ahead, and that nobody has asked for yet."""


@dataclass(frozen=True, slots=True)
class _Ready:
    """A frame that was made before its table was saved."""

    table: Table
    draft: Draft
    frame: Frame

    def is_of(self, table: Table, draft: Draft) -> bool:
        """Tell whether it shows a table as it stands: another process may have made another move meanwhile."""
        header, now = self.table.header, table.header
        return self.table.state is table.state and header.revision == now.revision and self.draft == draft


class DiscordBoard:
    """Frames tables, and posts and edits them with the bot's own token."""

    def __init__(self, drafts: Drafts, easel: Easel) -> None:
        self._drafts = drafts
        self.easel = easel
        self._messenger: Messenger | None = None
        self._ready: OrderedDict[TableId, _Ready] = OrderedDict()

    def connect(self, messenger: Messenger) -> None:
        """Send with this messenger from now on."""
        self._messenger = messenger

    def prepare(self, table: Table) -> None:
        """Make the frame and the picture of a table whose newest move is on its way to the disk."""
        draft = self._drafts.of(table)
        self._ready[table.id] = _Ready(table, draft, self.easel.ahead(self._framed(table), table.header.place))
        self._ready.move_to_end(table.id)
        while len(self._ready) > _MOST_READY:
            self._ready.popitem(last=False)

    def frame(self, table: Table) -> Frame:
        """Return what is shown of a table as it stands."""
        ready = self._ready.get(table.id)
        if ready is None or ready.table.header.revision > table.header.revision:
            # The move that it was made for may still be on its way.
            return self._framed(table)
        del self._ready[table.id]
        return ready.frame if ready.is_of(table, self._drafts.of(table)) else self._framed(table)

    def _framed(self, table: Table) -> Frame:
        match table.header.status:
            case Status.LOBBY:
                return lobby_frame(table)
            case Status.PLAYING | Status.FINISHED if table.state is not None:
                return game_frame(table, self._drafts.of(table))
            case Status.ASIDE | Status.HELD_ASIDE:
                return aside_frame(table)
            case status:
                text = _(_AGREED if table.is_closed_by_agreement else _CLOSED.get(status, _HELD))
                return closed_frame(table, text.format(command=table.package.game.info.command))

    @asynccontextmanager
    async def posting(self, table: Table) -> AsyncIterator[Carrier]:
        """Wait until a table may be posted, and return what posts it at once; raises NotShown."""
        channel_id = table.header.place.channel_id
        async with self._line.permit("POST", channel_id, Urgency.POST) as permit:
            yield partial(self._post, permit)

    @asynccontextmanager
    async def editing(self, table: Table, *, is_new: bool) -> AsyncIterator[Carrier]:
        """Wait until a table's message may be edited, and return what edits it at once; raises NotShown."""
        urgency = Urgency.EDIT if is_new else Urgency.REFRESH
        async with self._line.permit("PATCH", table.header.place.channel_id, urgency) as permit:
            yield partial(self._edit, permit)

    async def _post(self, permit: Permit, table: Table) -> int:
        channel_id = table.header.place.channel_id
        return int((await self._show(permit, table, partial(posting, channel_id)))["id"])

    async def _edit(self, permit: Permit, table: Table) -> int:
        message_id = table.header.message_id or 0
        await self._show(permit, table, partial(editing, table.header.place.channel_id, message_id))
        return message_id

    async def _show(self, permit: Permit, table: Table, request: Callable[[Frame], Request]) -> Json:
        """Send a table's frame; without its picture where no files may be attached."""
        frame = await self.easel.hung(self.frame(table), table.header.place)

        async def send(frame: Frame) -> Json:
            told: Json = await self._line.send(request(frame), permit)
            return told

        try:
            try:
                return await sent(frame, send)
            except discord.Forbidden as fault:
                if frame.drawn is None or fault.code != _MISSING_PERMISSIONS:
                    raise
                self.easel.bar(table.header.place.channel_id)
                return await send(frame.in_words())
        except NETWORK_FAULTS as fault:
            raise verdict(fault) from fault

    async def point_on(self, table: Table, message_id: int) -> None:
        """Let a message that shows a table no longer say where it is; raises MessageGone, OutOfReach and NotShown."""
        moved = text_alone(_(MOVED).format(link=jump_link(table)))
        request = Request("PATCH", table.header.place.channel_id, message_id, moved)
        try:
            await self._line.deliver(request, Urgency.DELETION)
        except NETWORK_FAULTS as fault:
            raise verdict(fault) from fault

    async def remove(self, table: Table, message_id: int) -> None:
        """Delete a message that a newer one has replaced; one that can't be deleted just stays."""
        try:
            await self._line.deliver(deleting(table.header.place.channel_id, message_id), Urgency.DELETION)
        except NETWORK_FAULTS as fault:
            log.info("message %s could not be deleted: %s", message_id, fault)

    async def strike(self, header: Header) -> None:
        """Say in its message how a table has ended whose game is not here; one that can't be edited just stays."""
        if header.message_id is None:
            return
        frame = Frame(discord.Embed(description=_(_STRUCK[header.status]), colour=PLAIN_COLOUR).to_dict())
        try:
            await self._line.deliver(editing(header.place.channel_id, header.message_id, frame), Urgency.EDIT)
        except NETWORK_FAULTS as fault:
            log.info("message %s could not be edited: %s", header.message_id, fault)

    @property
    def _line(self) -> Messenger:
        if self._messenger is None:
            raise NotShown("not connected yet")
        return self._messenger


async def call(
    messenger: Messenger,
    channel_id: int,
    person_id: int | None,
    text: str,
    *,
    presses: tuple[Press, ...] = (),
    urgency: Urgency = Urgency.POST,
) -> int:
    """Say something that one person is notified of or nobody, and return its id; raises OutOfReach and NotShown."""
    only: Json = {"parse": [], "users": [] if person_id is None else [str(person_id)]}
    told: Json = {"content": text, "allowed_mentions": only}
    if presses:
        told["components"] = Frame({}, (presses,)).components()
    try:
        message = await messenger.deliver(Request("POST", channel_id, told=told), urgency)
    except NETWORK_FAULTS as fault:
        raise verdict(fault) from fault
    return int(message["id"])


def verdict(fault: Exception) -> MessageGone | OutOfReach | NotShown:
    """Tell what a failed request means for the table."""
    if isinstance(fault, TimeoutError):
        return Unanswered(str(fault))
    if not isinstance(fault, discord.HTTPException) or fault.status >= _SERVER_FAULT:
        return Silent(str(fault))
    if (meaning := _MEANINGS.get(fault.code)) is not None:
        return meaning(str(fault))
    match fault:
        case discord.NotFound() | discord.Forbidden():
            return OutOfReach(str(fault))
        case discord.HTTPException(status=status) if status == _TOO_MANY:
            return NotNow(str(fault))
        case _:
            return NotShown(str(fault))
