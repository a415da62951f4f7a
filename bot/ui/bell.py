"""Calls people to their table with a message in its channel."""

import logging
from datetime import timedelta

import discord

from bot.tables.model import Place, Reminder
from bot.tables.publisher import NotShown
from bot.tables.table import Table
from bot.ui.board import call
from bot.ui.ids import SeatAction, SeatId
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
    """Mentions whoever is to move, and nobody else."""

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
        if reminder.noted_at is None or self._client.user is None:
            return None
        recent = self._channel(reminder.place).history(limit=_LOOK_AT, after=reminder.noted_at - _SLACK)
        try:
            async for message in recent:
                if message.author.id == self._client.user.id and _is_call(message):
                    return message.id
        except NETWORK_FAULTS as fault:
            _demand_final(fault)
        return None

    async def remove(self, reminder: Reminder) -> None:
        """Delete the message of a reminder, if it is still there and can be deleted; raises NotShown."""
        try:
            await self._channel(reminder.place).get_partial_message(reminder.message_id or 0).delete()
        except NETWORK_FAULTS as fault:
            _demand_final(fault)

    def _channel(self, place: Place) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(place.channel_id, guild_id=place.guild_id)


def _offer(table: Table) -> discord.ui.View | None:
    """Let others put a computer player into the seat, if somebody else plays there who could."""
    absent = table.header.to_move
    if all(seat == absent or table.is_automatic(seat) for seat in range(len(table.seats))):
        return None
    stand_in = SeatId(table.id, table.header.step, SeatAction.SUBSTITUTE)
    return lone_button(_("Let a computer player stand in"), stand_in)


def _is_call(message: discord.Message) -> bool:
    """Recognize a reminder by how it begins: a channel has one table at a time whose players are reminded."""
    begins, _rest = _(_CALL).split("{game}")
    return any(message.content.startswith(begins.format(mover=mover)) for mover in message.raw_mentions)


def _demand_final(fault: Exception) -> None:
    """Raise NotShown unless trying again would not help."""
    if not isinstance(fault, discord.HTTPException) or fault.status == _TOO_MANY or fault.status >= _SERVER_FAULT:
        raise NotShown(str(fault)) from fault
    log.info("a reminder stays where it is: %s", fault)
