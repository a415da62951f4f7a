"""Calls people to their table with a message in its channel."""

import logging
from collections.abc import Callable
from datetime import timedelta

import discord

from bot.tables.model import Invitation, Person, Place, Reminder
from bot.tables.publisher import NotShown
from bot.tables.table import Table
from bot.ui.board import call
from bot.ui.ids import InviteAction, InviteId, SeatAction, SeatId
from bot.ui.invitations import invitation_text, invitation_view
from bot.ui.links import jump_link
from bot.ui.replies import NETWORK_FAULTS, lone_button
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)

_TOO_MANY = 429
_SERVER_FAULT = 500

_SLACK = timedelta(minutes=5)
"""How far Discord's clock may be behind ours."""

_LOOK_AT = 100
"""As many messages as one request returns."""

_CALL = N_("<@{mover}>, it is your turn at {game}: {link}")


class DiscordBell:
    """Mentions whoever is to move or is invited, and nobody else."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client

    async def ring(self, table: Table) -> int:
        """Call whoever is to move and return the id of the message; raises OutOfReach and NotShown."""
        mover = table.mover
        if mover is None or mover.user_id is None:
            raise ValueError(f"table {table.id} waits for nobody")
        text = _(_CALL).format(mover=mover.user_id, game=table.package.game.info.title, link=jump_link(table))
        return await call(self._channel(table.header.place), mover.user_id, text, _offer(table))

    async def find(self, reminder: Reminder) -> int | None:
        """Look for the message of a reminder whose id was lost; raises NotShown."""
        return await self._find(reminder, _is_call)

    async def invite(self, table: Table, host: Person, guest: Person) -> int:
        """Ask somebody to a table and return the id of the message; raises OutOfReach and NotShown."""
        text, view = invitation_text(table, host, guest), invitation_view(table.id, guest.id)
        return await call(self._channel(table.header.place), guest.id, text, view)

    async def find_invitation(self, invitation: Invitation) -> int | None:
        """Look for the message of an invitation whose id was lost; raises NotShown."""
        join = InviteId(invitation.table_id, invitation.user_id, InviteAction.JOIN)
        return await self._find(invitation, lambda message: str(join) in _custom_ids(message))

    async def remove(self, reminder: Reminder) -> None:
        """Delete the message of a reminder, if it is still there and can be deleted; raises NotShown."""
        await self._remove(reminder)

    async def remove_invitation(self, invitation: Invitation) -> None:
        """Delete the message of an invitation, if it is still there and can be deleted; raises NotShown."""
        await self._remove(invitation)

    async def _remove(self, posted: Reminder | Invitation) -> None:
        try:
            await self._channel(posted.place).get_partial_message(posted.message_id or 0).delete()
        except NETWORK_FAULTS as fault:
            _demand_final(fault)

    async def _find(self, posted: Reminder | Invitation, is_it: Callable[[discord.Message], bool]) -> int | None:
        """Look for a message of the bot's own among those since it was decided to send one."""
        if posted.noted_at is None or self._client.user is None:
            return None
        recent = self._channel(posted.place).history(limit=_LOOK_AT, after=posted.noted_at - _SLACK)
        try:
            async for message in recent:
                if message.author.id == self._client.user.id and is_it(message):
                    return message.id
        except NETWORK_FAULTS as fault:
            _demand_final(fault)
        return None

    def _channel(self, place: Place) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)


def _offer(table: Table) -> discord.ui.View | None:
    """Let others put a computer player into the seat, if somebody else plays there who could."""
    absent = table.header.to_move
    if all(seat == absent or table.is_automatic(seat) for seat in range(len(table.seats))):
        return None
    stand_in = SeatId(table.id, table.header.step, SeatAction.SUBSTITUTE)
    return lone_button(_("Let a computer player stand in"), stand_in)


def _custom_ids(message: discord.Message) -> set[str | None]:
    """Return what the buttons of a message answer to."""
    rows = [row for row in message.components if isinstance(row, discord.ActionRow)]
    return {button.custom_id for row in rows for button in row.children if isinstance(button, discord.Button)}


def _is_call(message: discord.Message) -> bool:
    """Recognize a reminder by how it begins: a channel has one table at a time whose players are reminded."""
    begins, _rest = _(_CALL).split("{game}")
    return any(message.content.startswith(begins.format(mover=mover)) for mover in message.raw_mentions)


def _demand_final(fault: Exception) -> None:
    """Raise NotShown unless trying again would not help."""
    if not isinstance(fault, discord.HTTPException) or fault.status == _TOO_MANY or fault.status >= _SERVER_FAULT:
        raise NotShown(str(fault)) from fault
    log.info("a message stays where it is: %s", fault)
