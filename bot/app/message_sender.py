"""Sends and removes reminders, invitations and announcements."""

import logging
from collections.abc import Callable, Collection
from datetime import timedelta

import discord
from discord.utils import format_dt, time_snowflake

from bot.features.reminders.ids import TimeUpId
from bot.features.turn_clocks.messages import time_up_buttons, time_up_text
from bot.platform.discord.content import Button, Json
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed, RefusesDirectMessages
from bot.platform.discord.http import (
    NETWORK_ERRORS,
    Request,
    delete_request,
    is_retryable,
    post_text,
    reading,
)
from bot.platform.discord.limits import Urgency
from bot.platform.notices import sending
from bot.tables.handlers.ids import SeatButton, SeatId
from bot.tables.notifications import Notification, Reminder, ReminderStage
from bot.tables.shown.links import table_link
from bot.tables.table import Table
from bot.words import N_, gettext as _

log = logging.getLogger(__name__)

_CLOCK_SKEW = timedelta(minutes=5)
"""How far Discord's clock may lag behind ours."""

_SEARCH_LIMIT = 100
"""Discord's limit for one request."""

_REMINDERS = {
    ReminderStage.TURN: N_("<@{mover}>, it's your turn in {game}: {link}"),
    ReminderStage.HALF_TIME: N_("<@{mover}>, half your time in {game} has passed; it ends {when}: {link}"),
}


class DiscordMessageSender(sending.DiscordMessageSender):
    """Sends messages that mention the player to move, the guest, or those who decide about an absent player."""

    async def send(self, table: Table, stage: ReminderStage) -> int:
        """Remind the player to move in the table's channel, and return the id of the message.

        Raises:
            ChannelUnreachable: The bot can't post there.
            DeliveryFailed: A retry may help.
        """
        mover_id, text = _reminder_of(table, stage)
        channel_id, buttons = table.header.location.channel_id, _substitute_buttons(table)
        return await self._post_text(channel_id, text, buttons, mover_id)

    async def send_direct(self, table: Table, stage: ReminderStage) -> tuple[int, int]:
        """Remind the player to move in a direct message, and return the ids of its channel and of the message.

        Raises:
            RefusesDirectMessages: They accept none.
            DeliveryFailed: A retry may help.
        """
        mover_id, text = _reminder_of(table, stage)
        try:
            channel_id = await self._message_client.open_direct_channel(mover_id)
            return channel_id, await self._post_text(channel_id, text, (), mover_id)
        except ChannelUnreachable as fault:
            raise RefusesDirectMessages(str(fault)) from fault
        except NETWORK_ERRORS as fault:
            _raise_if_retryable(fault)
            raise RefusesDirectMessages(str(fault)) from fault

    async def call_others(self, table: Table, user_ids: Collection[int]) -> int:
        """Ask what to do about a player whose time is up, and return the id of the message; raise like `send`."""
        text, buttons = time_up_text(table, user_ids), time_up_buttons(table)
        return await self._post_text(table.header.location.channel_id, text, buttons, *user_ids)

    async def _post_text(self, channel_id: int, text: str, buttons: tuple[Button, ...], *user_ids: int) -> int:
        return await post_text(
            self._message_client, channel_id, user_ids, text, buttons=buttons, urgency=Urgency.REMINDER
        )

    async def find_reminder(self, reminder: Reminder) -> int | None:
        """Find the message of a reminder whose id is not known; raise DeliveryFailed if a retry may help."""
        if reminder.stage is ReminderStage.TIME_UP:
            own = f"{TimeUpId.prefix}:{reminder.table_id}:"
            return await self._find(
                reminder, lambda each: any((id_ or "").startswith(own) for id_ in _button_ids(each))
            )
        return await self._find(reminder, _is_reminder)

    async def remove(self, posted: Notification) -> None:
        """Delete a message if possible; raise DeliveryFailed if a retry may help."""
        try:
            request = delete_request(posted.channel_id or posted.location.channel_id, posted.message_id or 0)
            await self._message_client.send_with_retries(request, Urgency.DELETION)
        except NETWORK_ERRORS as fault:
            _raise_if_retryable(fault)

    async def _find(self, posted: Reminder, matches: Callable[[Json], bool]) -> int | None:
        """Return the id of the bot's first message that matches, among those since the row was written."""
        if posted.noted_at is None or self._message_client.bot_id is None:
            return None
        since = time_snowflake(posted.noted_at - _CLOCK_SKEW)
        recent = Request("GET", posted.location.channel_id, query={"limit": str(_SEARCH_LIMIT), "after": str(since)})
        try:
            messages = await self._message_client.send_with_retries(recent, Urgency.DELETION)
            bot_id = str(self._message_client.bot_id)
            with reading():
                # Discord returns the newest first.
                found = (each for each in reversed(messages) if each["author"]["id"] == bot_id and matches(each))
                return next((int(each["id"]) for each in found), None)
        except NETWORK_ERRORS as fault:
            _raise_if_retryable(fault)
            return None


def _reminder_of(table: Table, stage: ReminderStage) -> tuple[int, str]:
    """Return whom a reminder is for, and its text."""
    mover, ends_at = table.mover, table.header.clock.ends_at
    if mover is None or mover.user_id is None:
        raise ValueError(f"table {table.id} has no player to remind")
    when = "" if ends_at is None else format_dt(ends_at, "R")
    words = {"mover": mover.user_id, "game": table.package.game.info.title, "link": table_link(table), "when": when}
    return mover.user_id, _(_REMINDERS[stage]).format_map(words)


def _substitute_buttons(table: Table) -> tuple[Button, ...]:
    """Return the button that substitutes a computer player, if another person plays who could press it.

    A turn clock gives its player time.
    """
    absent = table.header.to_move
    if table.header.clock.ends_at is not None:
        return ()
    if all(seat == absent or table.is_automatic(seat) for seat in range(len(table.seats))):
        return ()
    substitute_id = SeatId(table.id, table.header.step, SeatButton.SUBSTITUTE)
    return (Button(_("Let a computer player stand in"), str(substitute_id)),)


def _button_ids(message: Json) -> set[str | None]:
    """Return the custom ids of a message's buttons."""
    return {each.get("custom_id") for row in message["components"] for each in row.get("components", ())}


def _is_reminder(message: Json) -> bool:
    """Return whether a message begins like a reminder; only one table of a channel has reminders at a time."""
    prefixes = [_(text).split("{game}")[0] for text in _REMINDERS.values()]
    return any(
        message["content"].startswith(prefix.format(mover=each["id"]))
        for each in message["mentions"]
        for prefix in prefixes
    )


def _raise_if_retryable(fault: Exception) -> None:
    """Raise DeliveryFailed if a retry may help."""
    if not isinstance(fault, discord.HTTPException) or is_retryable(fault):
        raise DeliveryFailed(str(fault)) from fault
    # Too many edits of an old message (30046) can't be the reason: nothing is edited here.
    log.info("a message could not be found or deleted: %s", fault)
