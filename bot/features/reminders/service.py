"""Reminds players of their turn, each after the delay and in the way that they have chosen."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from bot.features.reminders import storage
from bot.features.reminders.messages import ask_others, remind_player
from bot.features.reminders.model import DELAYS, PersonPings, PingMode, Reminder, ReminderStage
from bot.features.reminders.storage import REMINDER
from bot.languages import speaking
from bot.platform.database.database import Database
from bot.platform.database.sql import Values
from bot.platform.discord.errors import DeliveryFailed, RefusesDirectMessages
from bot.platform.jobs.looks import Look
from bot.platform.notices.notices import Notices, Work
from bot.platform.notices.sending import MessageSender
from bot.rules.refusals import Refusal
from bot.tables.clocks import deciders
from bot.tables.model import Status
from bot.tables.refusals import Stale
from bot.tables.service import TableService
from bot.tables.table import Table

log = logging.getLogger(__name__)

TOO_LATE_AFTER = timedelta(days=1)
"""The time after which no reminder is sent, because the bot was offline or the player has left."""


class Reminders(Notices[Reminder]):
    """Sends reminders, at most one ping at a time to each person, and deletes them when the player has acted."""

    outdated = (Refusal, Stale)

    def __init__(self, service: TableService, db: Database, sender: MessageSender, *, is_enabled: bool) -> None:
        super().__init__(db, sender, REMINDER)
        self._service = service
        self.is_enabled = is_enabled

    def look(self) -> Look:
        """Return the look that finds work for this feature."""
        return Look("reminders", storage.HAS_WORK, self._due_values, self.check)

    def _due_values(self, now: datetime) -> Values:
        return {**storage.due_values(*self.due_turns(), 1), "now": now}

    def due_turns(self) -> tuple[Collection[str], datetime, Mapping[int, datetime]]:
        """Return the arguments of `storage.find_due` for turns that may need a reminder."""
        clock = self._service.clock
        games = self._service.games.keys() if self.is_enabled else ()
        return games, clock.ago(TOO_LATE_AFTER), {delay: clock.ago(timedelta(minutes=delay)) for delay in DELAYS}

    async def _find_due(self, most: int) -> Sequence[Work]:
        """Return the work that is due: new reminders, and those whose quiet hours have ended."""
        if not self.is_enabled:
            return ()
        due = await self._db.read(storage.find_due, self._db.shards, *self.due_turns(), most)
        held = await self._db.read(storage.find_held, self._db.shards, self._service.clock(), most)
        return [
            *((reminder.key, partial(self._remind, reminder)) for reminder in due),
            *((reminder.key, partial(self._send_held, reminder)) for reminder in held),
        ]

    async def _remind(self, reminder: Reminder) -> None:
        # Picking pieces for a move postpones the reminder; only this process's memory knows of it.
        table = await self._service.table(reminder.table_id)
        pings = await self._pings_of(table)
        is_active = table.header.awaited_since > self._service.clock.ago(timedelta(minutes=pings.choice.delay))
        if not is_active:
            await self._store_and_send(reminder, pings)

    async def _store_and_send(self, reminder: Reminder, pings: PersonPings) -> None:
        """Store a reminder, and send it unless it is held back until the player's quiet hours end."""
        now = self._service.clock()
        reminder = replace(reminder, noted_at=now, send_at=pings.quiet_until(now))
        if await self._db.maintain(storage.claim, reminder) and not reminder.is_held:
            await self.send(reminder, partial(self._post, pings))

    async def _send_held(self, reminder: Reminder) -> None:
        pings = await self._pings_of(await self._service.table(reminder.table_id))
        reminder = replace(reminder, noted_at=self._service.clock())
        if await self._db.maintain(storage.release, reminder):
            await self.send(replace(reminder, send_at=None), partial(self._post, pings))

    async def _post(self, pings: PersonPings, reminder: Reminder) -> Reminder | None:
        """Send a reminder in the way that the player has chosen; return None if it has lapsed or no way is allowed."""
        # The reminder links to the table's message, which another process may have replaced.
        table, mode = await self._service.reload(reminder.table_id), pings.choice.mode
        if not _is_still_due(table, reminder):
            return None
        with speaking(await self._sender.languages.of_place(table.header.location, table.header.opener_id)):
            if reminder.stage is ReminderStage.TIME_UP:
                return await self._sender.post(reminder, ask_others(table, await self._callable(table)))
            line = remind_player(table, reminder.stage)
        if mode is PingMode.DIRECT and not pings.refuses_direct:
            with speaking(await self._sender.languages.of_person(_mover_id(table))):
                direct = remind_player(table, reminder.stage)
            try:
                return await self._sender.post_direct(reminder, direct)
            except RefusesDirectMessages as fault:
                log.debug("the player to move at table %s accepts no direct messages: %s", table.id, fault)
                await self._db.maintain(storage.note_refused_direct, _mover_id(table))
        if mode is PingMode.OFF or not pings.may_mention:
            return None
        return await self._sender.post(reminder, line)

    async def _callable(self, table: Table) -> list[int]:
        """Return the people who decide about a player whose time is up and may be mentioned now."""
        now, guild_id = self._service.clock(), table.header.location.guild_id
        pings = {
            user_id: await self._db.read(storage.find_choices, user_id, table.id, guild_id)
            for user_id in deciders(table)
        }
        return [
            user_id
            for user_id, chosen in pings.items()
            if chosen.may_mention and chosen.choice.mode is not PingMode.OFF and chosen.quiet_until(now) is None
        ]

    async def _pings_of(self, table: Table) -> PersonPings:
        return await self._db.read(storage.find_choices, _mover_id(table), table.id, table.header.location.guild_id)

    async def _is_over(self, notice: Reminder) -> bool:
        return not _is_still_due(await self._service.table(notice.table_id), notice)

    def on_table_changed(self, table: Table) -> None:
        """Delete a table's reminder if the player has acted."""
        self._remove_sent(table.id, lambda reminder: not _is_still_due(table, reminder))

    async def remind_at_half_time(self, table: Table) -> None:
        """Remind the player to move that half their time has passed; this replaces an earlier reminder.

        Raises:
            ChannelUnreachable: The bot can't post in the channel.
            DeliveryFailed: For now, the earlier message can't be deleted or the new one can't be sent.
        """
        pings = await self._pings_of(table)
        if self.is_enabled and pings.choice.mode is not PingMode.OFF:
            await self._replace(table, ReminderStage.HALF_TIME, pings)

    async def call_others(self, table: Table) -> None:
        """Ask the other players about a player whose time is up; this replaces an earlier reminder.

        They are asked even if reminders are off, because the table can't go on without them.

        Raises:
            ChannelUnreachable: The bot can't post in the channel.
            DeliveryFailed: For now, the earlier message can't be deleted or the new one can't be sent.
        """
        await self._replace(table, ReminderStage.TIME_UP, PersonPings())

    async def _replace(self, table: Table, stage: ReminderStage, pings: PersonPings) -> None:
        header, earlier = table.header, await self._db.read(storage.find, table.id)
        if header.to_move is None:
            return
        channel_id, since, now = header.location.channel_id, header.awaited_since, self._service.clock()
        if earlier is not None and earlier.stands and (earlier.stage, earlier.since) != (stage, since):
            await self._remove(earlier)
        reminder = Reminder(table.id, channel_id, header.to_move, header.step, since, stage, noted_at=now)
        await self._store_and_send(reminder, pings)

    async def note_channel_deleted(self, channel_id: int) -> None:
        """Stop pings in a deleted channel or thread from holding back others; may raise StoreUnavailable."""
        await self._db.maintain(storage.forget_in_channel, channel_id)

    async def look_for_lost_channels(self, guild_id: int) -> None:
        """Note the deleted channels of a server; Discord does not report the threads of a deleted channel."""
        try:
            for channel_id in await self._db.read(storage.find_channels, guild_id):
                if not await self._sender.has_channel(channel_id):
                    await self.note_channel_deleted(channel_id)
        except DeliveryFailed as fault:
            log.info("it is not known which channels of server %s still exist: %s", guild_id, fault)


def _mover_id(table: Table) -> int:
    """Return the user id of the player to move, or 0, which is nobody's."""
    return (table.mover.user_id if table.mover else None) or 0


def _is_still_due(table: Table, reminder: Reminder) -> bool:
    """Return whether a table still awaits a reminder's player, who has not been active since."""
    header = table.header
    return (
        header.status is Status.PLAYING
        and header.to_move == reminder.seat
        and not header.awaits_computer
        and header.awaited_since == reminder.since
        and reminder.stage is not (ReminderStage.HALF_TIME if header.clock.is_up else ReminderStage.TIME_UP)
    )
