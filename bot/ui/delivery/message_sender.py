"""Calls people to their table with a message in its channel."""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta

import discord
from discord.utils import format_dt, time_snowflake

from bot.tables.model import Person
from bot.tables.notifications import Announcement, Invitation, Reminder
from bot.tables.runtime.publisher import DeliveryFailed
from bot.tables.table import Table
from bot.ui.custom_ids import InvitationButton, InvitationId, SeatButton, SeatId, StillPlayingId
from bot.ui.delivery.http import NETWORK_ERRORS
from bot.ui.delivery.message_client import MessageClient, Request, delete_request
from bot.ui.delivery.rate_limits import Urgency
from bot.ui.delivery.table_messages import post_text
from bot.ui.render.invitation_message import invitation_buttons, invitation_text
from bot.ui.render.links import table_link
from bot.ui.render.message import Button, Json
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)

_TOO_MANY = 429
_SERVER_FAULT = 500

_CLOCK_SKEW = timedelta(minutes=5)
"""How far Discord's clock may be behind ours."""

_SEARCH_LIMIT = 100
"""As many messages as one request returns."""

_REMINDER = N_("<@{mover}>, it is your turn at {game}: {link}")


class DiscordMessageSender:
    """Mentions whoever is to move or is invited, and nobody else."""

    def __init__(self, client: discord.Client, messenger: MessageClient) -> None:
        self._client = client
        self._messenger = messenger

    async def send(self, table: Table) -> int:
        """Call whoever is to move and return the id of the message; raises ChannelUnreachable and DeliveryFailed."""
        mover = table.mover
        if mover is None or mover.user_id is None:
            raise ValueError(f"table {table.id} waits for nobody")
        text = _(_REMINDER).format(mover=mover.user_id, game=table.package.game.info.title, link=table_link(table))
        channel_id = table.header.place.channel_id
        return await post_text(
            self._messenger,
            channel_id,
            mover.user_id,
            text,
            presses=_substitute_buttons(table),
            urgency=Urgency.REMINDER,
        )

    async def find_reminder(self, reminder: Reminder) -> int | None:
        """Look for the message of a reminder whose id was lost; raises DeliveryFailed."""
        return await self._find(reminder, _is_reminder)

    async def invite(self, table: Table, host: Person, guest: Person) -> int:
        """Ask somebody to a table and return the id of the message; raises ChannelUnreachable and DeliveryFailed."""
        text, presses = invitation_text(table, host, guest), invitation_buttons(table.id, guest.id)
        return await post_text(self._messenger, table.header.place.channel_id, guest.id, text, presses=presses)

    async def find_invitation(self, invitation: Invitation) -> int | None:
        """Look for the message of an invitation whose id was lost; raises DeliveryFailed."""
        join = InvitationId(invitation.table_id, invitation.user_id, InvitationButton.JOIN)
        return await self._find(invitation, lambda message: str(join) in _button_ids(message))

    async def remove_reminder(self, reminder: Reminder) -> None:
        """Delete the message of a reminder, if it is still there and can be deleted; raises DeliveryFailed."""
        await self._remove(reminder)

    async def remove_invitation(self, invitation: Invitation) -> None:
        """Delete the message of an invitation, if it is still there and can be deleted; raises DeliveryFailed."""
        await self._remove(invitation)

    async def _remove(self, posted: Reminder | Invitation | Announcement) -> None:
        try:
            request = delete_request(posted.place.channel_id, posted.message_id or 0)
            await self._messenger.send_with_retries(request, Urgency.DELETION)
        except NETWORK_ERRORS as fault:
            _raise_if_retryable(fault)

    async def _find(self, posted: Reminder | Invitation, is_it: Callable[[Json], bool]) -> int | None:
        """Look for a message of the bot's own among those since it was decided to send one."""
        if posted.noted_at is None or self._client.user is None:
            return None
        since = time_snowflake(posted.noted_at - _CLOCK_SKEW)
        recent = Request("GET", posted.place.channel_id, query={"limit": str(_SEARCH_LIMIT), "after": str(since)})
        try:
            messages = await self._messenger.send_with_retries(recent, Urgency.DELETION)
        except NETWORK_ERRORS as fault:
            _raise_if_retryable(fault)
            return None
        ours = str(self._client.user.id)
        # They come newest first.
        found = (each for each in reversed(messages) if each["author"]["id"] == ours and is_it(each))
        return next((int(each["id"]) for each in found), None)

    async def announce(self, table: Table, closes_at: datetime) -> int:
        """Say where a table stands that it will be closed, and return the message's id.

        Raises ChannelUnreachable and DeliveryFailed.

        Nobody is mentioned.
        """
        still = Button(_("Still playing"), str(StillPlayingId(table.id)), discord.ButtonStyle.primary)
        channel_id, text = table.header.place.channel_id, announcement_text(table, closes_at)
        return await post_text(self._messenger, channel_id, None, text, presses=(still,), urgency=Urgency.REMINDER)

    async def remove_announcement(self, announcement: Announcement) -> None:
        """Delete the message of an announcement, if it is still there and can be deleted; raises DeliveryFailed."""
        await self._remove(announcement)


def _substitute_buttons(table: Table) -> tuple[Button, ...]:
    """Let others put a computer player into the seat, if somebody else plays there who could."""
    absent = table.header.to_move
    if all(seat == absent or table.is_automatic(seat) for seat in range(len(table.seats))):
        return ()
    stand_in = SeatId(table.id, table.header.step, SeatButton.SUBSTITUTE)
    return (Button(_("Let a computer player stand in"), str(stand_in)),)


def _button_ids(message: Json) -> set[str | None]:
    """Return what the buttons of a message answer to."""
    return {each.get("custom_id") for row in message["components"] for each in row.get("components", ())}


def announcement_text(table: Table, closes_at: datetime) -> str:
    """Write that a table will be closed, and how to keep it."""
    text = _(
        "Nobody has played this game of {game} for a long time: {link}\n"
        "It closes {when} without a result, unless somebody who plays in it presses *Still playing*."
    )
    if table.header.status.is_aside:
        text = _(
            "Nobody has come back to this game of {game}, which was put aside: {link}\n"
            "It closes {when} without a result, unless somebody who plays in it presses *Still playing* or types "
            "`/table resume`."
        )
    return text.format(game=table.package.game.info.title, link=table_link(table), when=format_dt(closes_at, "R"))


def _is_reminder(message: Json) -> bool:
    """Recognize a reminder by how it begins: a channel has one table at a time whose players are reminded."""
    begins, _rest = _(_REMINDER).split("{game}")
    return any(message["content"].startswith(begins.format(mover=each["id"])) for each in message["mentions"])


def _raise_if_retryable(fault: Exception) -> None:
    """Raise DeliveryFailed unless trying again would not help."""
    if not isinstance(fault, discord.HTTPException) or fault.status == _TOO_MANY or fault.status >= _SERVER_FAULT:
        raise DeliveryFailed(str(fault)) from fault
    log.info("a message stays where it is: %s", fault)
