"""Shows tables in Discord's channels."""

import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, TypeVar

import discord

from bot.rules.screen import Draft
from bot.tables.model import Header, Place, Status, TableId
from bot.tables.publisher import Asleep, MessageGone, NotShown, OutOfReach, Vanished
from bot.tables.table import Table
from bot.ui.drafts import Drafts
from bot.ui.easel import Easel
from bot.ui.frame import Frame
from bot.ui.frames import PLAIN_COLOUR, closed_frame, game_frame
from bot.ui.lobby import lobby_frame
from bot.ui.replies import NETWORK_FAULTS
from bot.ui.sending import sent
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)

T = TypeVar("T")

_CANCELLED = N_("This table was cancelled. Nothing is counted.")
_AGREED = N_("All who played agreed to close this table. Nothing is counted.")
_EXPIRED = N_("This table was closed: nobody did anything about it for an hour. `/{command} new` opens another.")

_STRUCK = {
    Status.CANCELLED: _CANCELLED,
    Status.EXPIRED: N_("This table was closed: nobody did anything about it for an hour."),
}
"""How tables have ended whose game is not here."""

_UNKNOWN_CHANNEL = 10003
_UNKNOWN_MESSAGE = 10008
_MISSING_PERMISSIONS = 50013
_ARCHIVED = (50083, 160005)
"""What Discord says of threads that are archived, and of those that are locked as well."""

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
        self._client: discord.Client | None = None
        self._ready: OrderedDict[TableId, _Ready] = OrderedDict()

    def connect(self, client: discord.Client) -> None:
        """Use this client from now on."""
        self._client = client

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
            case Status.CANCELLED:
                return closed_frame(table, _(_AGREED if table.is_closed_by_agreement else _CANCELLED))
            case Status.EXPIRED:
                return closed_frame(table, _(_EXPIRED).format(command=table.package.game.info.command))
            case Status.FINISHED:
                return closed_frame(table, _("This table is over, but its result can't be shown any more."))
            case _:
                return closed_frame(
                    table,
                    _("This table is held: its moves no longer lead to the same position. `/table cancel` ends it."),
                )

    async def post(self, table: Table) -> int:
        """Show the table in a new message and return its id; raises OutOfReach and NotShown."""
        channel = self._channel(table.header.place)
        message = await self._show(table, lambda frame: channel.send(**frame.posted()))
        return message.id

    async def edit(self, table: Table) -> None:
        """Show the table in its message; raises MessageGone, OutOfReach and NotShown."""
        message = self._channel(table.header.place).get_partial_message(table.header.message_id or 0)
        await self._show(table, lambda frame: message.edit(**frame.edited()))

    async def _show(self, table: Table, send: Callable[[Frame], Awaitable[T]]) -> T:
        """Send a table's frame; without its picture where no files may be attached."""
        frame = await self.easel.hung(self.frame(table), table.header.place)
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

    async def call(self, table: Table, person_id: int, text: str) -> None:
        """Say something where the table stands that one person is notified of; raises OutOfReach and NotShown."""
        await call(self._channel(table.header.place), person_id, text)

    async def remove(self, table: Table, message_id: int) -> None:
        """Delete a message that a newer one has replaced; one that can't be deleted just stays."""
        try:
            await self._channel(table.header.place).get_partial_message(message_id).delete()
        except NETWORK_FAULTS as fault:
            log.info("message %s could not be deleted: %s", message_id, fault)

    async def strike(self, header: Header) -> None:
        """Say in its message how a table has ended whose game is not here; one that can't be edited just stays."""
        if header.message_id is None:
            return
        embed = discord.Embed(description=_(_STRUCK[header.status]), colour=PLAIN_COLOUR)
        try:
            message = self._channel(header.place).get_partial_message(header.message_id)
            await message.edit(embed=embed, view=None, attachments=[])
        except NETWORK_FAULTS as fault:
            log.info("message %s could not be edited: %s", header.message_id, fault)

    def _channel(self, place: Place) -> discord.PartialMessageable:
        if self._client is None:
            raise NotShown("not connected yet")
        return self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)


async def call(
    channel: discord.PartialMessageable, person_id: int, text: str, view: discord.ui.View | None = None
) -> int:
    """Say something that one person is notified of, and return its id; raises OutOfReach and NotShown."""
    only = discord.AllowedMentions(everyone=False, roles=False, replied_user=False, users=[discord.Object(person_id)])
    try:
        message = await channel.send(text, allowed_mentions=only, view=view or discord.utils.MISSING)
    except NETWORK_FAULTS as fault:
        raise verdict(fault) from fault
    return message.id


def verdict(fault: Exception) -> MessageGone | OutOfReach | NotShown:
    """Tell what a failed request means for the table."""
    match fault:
        case discord.HTTPException(code=code) if code in _ARCHIVED:
            return Asleep(str(fault))
        case discord.NotFound(code=code) if code == _UNKNOWN_MESSAGE:
            return MessageGone(str(fault))
        case discord.NotFound(code=code) if code == _UNKNOWN_CHANNEL:
            return Vanished(str(fault))
        case discord.NotFound() | discord.Forbidden():
            return OutOfReach(str(fault))
        case _:
            return NotShown(str(fault))
