"""Reminds players of their turn after a wait, as each of them wants it."""

import logging
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, Protocol

from cachetools import LRUCache

from bot.features.reminders import ping_storage, storage
from bot.features.reminders.model import DELAYS, PersonPings, PingMode
from bot.platform.database.database import Database
from bot.platform.database.sql import Values
from bot.platform.discord.errors import ChannelUnreachable, DeliveryFailed, RefusesDirectMessages
from bot.platform.jobs.looks import Look
from bot.platform.tasks import TaskSet
from bot.rules.refusals import Refusal
from bot.tables.clocks import deciders
from bot.tables.model import Status, TableId
from bot.tables.notifications import MessageRemover, Reminder, ReminderStage
from bot.tables.refusals import Stale
from bot.tables.service import TableService
from bot.tables.table import Table

log = logging.getLogger(__name__)

TOO_LATE_AFTER = timedelta(days=1)
"""No reminder is sent after this long: the bot was offline, or the player has left."""

_BATCH_KEY: Final = "round"

_BATCH_SIZE: Final = 100
"""How many reminders are handled at a time; more than the requests that can be sent in a second."""

_MAX_REMEMBERED: Final = 4096
"""Reminders that are deleted at once."""

ReminderWork = Callable[[Reminder], Awaitable[None]]


class ReminderSender(MessageRemover, Protocol):
    """Posts, finds and deletes reminder messages."""

    async def send(self, table: Table, stage: ReminderStage) -> int:
        """Mention the player to move in the table's channel and return the message's id.

        Raises:
            ChannelUnreachable: The bot can't post there.
            DeliveryFailed: Sending failed for now.
        """

    async def send_direct(self, table: Table, stage: ReminderStage) -> tuple[int, int]:
        """Send the player to move a direct message and return its channel's and its own id.

        Raises:
            RefusesDirectMessages: They accept none.
            DeliveryFailed: Sending failed for now.
        """

    async def call_others(self, table: Table, user_ids: Collection[int]) -> int:
        """Post that a player's time is up, mentioning some of those who decide; raise like `send`."""

    async def find_reminder(self, reminder: Reminder) -> int | None:
        """Look in the table's channel for the message of a reminder whose id was lost.

        Raises:
            DeliveryFailed: The search failed for now.
        """

    async def has_channel(self, channel_id: int) -> bool:
        """Return whether a channel or thread exists, even if the bot may not read it.

        Raises:
            DeliveryFailed: Discord does not tell for now.
        """


class Reminders:
    """Sends reminders, one ping at a time to each person, and deletes them when the player has acted.

    A reminder is stored before it is sent, so that no failure in between can lead to a second one. If the message's id
    was lost, the message is searched for when the turn goes on.
    """

    def __init__(self, service: TableService, db: Database, sender: ReminderSender, *, is_enabled: bool) -> None:
        self._service = service
        self._db = db
        self._sender = sender
        self.is_enabled = is_enabled
        self._sent: LRUCache[TableId, Reminder] = LRUCache(_MAX_REMEMBERED)
        """This process's newest reminders, deleted at once; others wait for a check."""
        self._tasks = TaskSet("reminder")
        self._batches = TaskSet("reminders")

    def oldest_seconds(self) -> float:
        """Return for how many seconds the oldest reminder has been waiting to be sent or deleted; 0 if none is."""
        return self._tasks.oldest_seconds()

    def look(self) -> Look:
        """Return the look that finds work for this feature."""
        return Look("reminders", storage.HAS_WORK, self._due_values, self.check)

    def _due_values(self, now: datetime) -> Values:
        return {**storage.due_values(*self.due_turns(), 1), "now": now}

    def due_turns(self) -> tuple[Collection[str], datetime, Mapping[int, datetime]]:
        """Return the turns that a reminder may be due for, as the arguments of `storage.find_due`."""
        clock = self._service.clock
        games = self._service.games.keys() if self.is_enabled else ()
        return games, clock.ago(TOO_LATE_AFTER), {each: clock.ago(timedelta(minutes=each)) for each in DELAYS}

    async def check(self) -> None:
        """Start sending due reminders and deleting lapsed ones; what exceeds a batch follows in the background."""
        started = set[TableId]()
        if not self._batches.is_busy(_BATCH_KEY) and await self._start_batch(started):
            self._batches.start(_BATCH_KEY, self._start_remaining(started))

    async def _start_remaining(self, started: set[TableId]) -> None:
        more = True
        while more:
            await self._tasks.wait_for_room(_BATCH_SIZE)
            more = await self._start_batch(started)

    async def _start_batch(self, started: set[TableId]) -> bool:
        """Start a batch of reminders not started yet; return False if there are none."""
        limit = len(started) + _BATCH_SIZE
        found = [
            (reminder, self._remove) for reminder in await self._db.read(storage.find_lapsed, self._db.shards, limit)
        ]
        if self.is_enabled:
            due = await self._db.read(storage.find_due, self._db.shards, *self.due_turns(), limit)
            found += [(reminder, self._remind) for reminder in due]
            found += [
                (held, self._send_held)
                for held in await self._db.read(storage.find_held, self._db.shards, self._service.clock(), limit)
            ]
        new = [(reminder, work) for reminder, work in found if reminder.table_id not in started][:_BATCH_SIZE]
        for reminder, work in new:
            started.add(reminder.table_id)
            self._start(reminder, work)
        return bool(new)

    async def remind_at_half_time(self, table: Table) -> None:
        """Remind the player to move that half their time has passed, in place of any earlier reminder.

        Raises:
            ChannelUnreachable: The bot can't post there.
            DeliveryFailed: An earlier message can't be deleted for now, or this one can't be sent.
        """
        pings = await self._pings_of(table)
        if self.is_enabled and pings.choice.mode is not PingMode.OFF:
            await self._replace(table, ReminderStage.HALF_TIME, pings)

    async def call_others(self, table: Table) -> None:
        """Ask the others what to do about a player whose time is up, in place of any earlier reminder; raise likewise.

        They are asked even if reminders are off, as the table can't go on without them.
        """
        await self._replace(table, ReminderStage.TIME_UP, PersonPings())

    async def _replace(self, table: Table, stage: ReminderStage, pings: PersonPings) -> None:
        header, earlier = table.header, await self._db.read(storage.find, table.id)
        if header.to_move is None:
            return
        reminder = Reminder(table.id, header.location, header.to_move, header.step, header.awaited_since, stage=stage)
        if earlier is not None and earlier.stands and (earlier.stage, earlier.since) != (stage, reminder.since):
            await self._remove(earlier)
        await self._note_and_send(reminder, pings)

    async def note_channel_deleted(self, channel_id: int) -> None:
        """Let the pings at tables of a deleted channel or thread hold no others back; may raise StoreUnavailable."""
        await self._db.maintain(storage.forget_in_channel, channel_id)

    async def look_for_lost_channels(self, guild_id: int) -> None:
        """Do the same for all channels of a server that are gone; Discord does not tell of threads of deleted ones."""
        try:
            for channel_id in await self._db.read(storage.find_channels, guild_id):
                if not await self._sender.has_channel(channel_id):
                    await self.note_channel_deleted(channel_id)
        except DeliveryFailed as fault:
            log.info("it is not known which channels of server %s still exist: %s", guild_id, fault)

    def on_table_changed(self, table: Table) -> None:
        """Delete a table's reminder if the player has acted."""
        reminder = self._sent.get(table.id)
        if reminder is not None and not _is_still_due(table, reminder):
            self._start(reminder, self._remove)

    async def close(self, seconds: float | None = None) -> None:
        """Finish running work; after some seconds, cancel it."""
        await (self._batches.close() if seconds is None else self._batches.cancel_all())
        await self._tasks.close(seconds)

    def _start(self, reminder: Reminder, work: ReminderWork) -> None:
        self._tasks.start(reminder.table_id, self._run_best_effort(reminder, work))

    async def _run_best_effort(self, reminder: Reminder, work: ReminderWork) -> None:
        """Run work whose failure does not matter to the game."""
        try:
            await work(reminder)
        except (ChannelUnreachable, DeliveryFailed) as fault:
            log.info("the reminder of table %s was not sent or deleted: %s", reminder.table_id, fault)
        except (Refusal, Stale) as fault:
            log.debug("the reminder of table %s was given up: %s", reminder.table_id, fault)

    async def _remind(self, reminder: Reminder) -> None:
        # Choosing pieces for a move is noted in memory only. It postpones the reminder.
        table = await self._service.table(reminder.table_id)
        pings = await self._pings_of(table)
        is_active = table.header.awaited_since > self._service.clock.ago(timedelta(minutes=pings.choice.delay))
        if not is_active:
            await self._note_and_send(reminder, pings)

    async def _note_and_send(self, reminder: Reminder, pings: PersonPings) -> None:
        """Store a reminder, and send it unless it is held back until the player's quiet hours end."""
        now = self._service.clock()
        reminder = replace(reminder, noted_at=now, send_at=pings.quiet_until(now))
        if await self._db.maintain(storage.claim, reminder) and reminder.send_at is None:
            await self._send(reminder, pings)

    async def _send_held(self, reminder: Reminder) -> None:
        pings = await self._pings_of(await self._service.table(reminder.table_id))
        reminder = replace(reminder, noted_at=self._service.clock())
        if await self._db.maintain(storage.release, reminder):
            await self._send(replace(reminder, send_at=None), pings)

    async def _send(self, reminder: Reminder, pings: PersonPings) -> None:
        # The reminder links to the table's message, which another process may have posted anew.
        table = await self._service.reload(reminder.table_id)
        try:
            sent = await self._post(table, reminder, pings) if _is_still_due(table, reminder) else None
        except ChannelUnreachable:
            # There is no message for which the player's other tables would have to wait.
            await self._db.maintain(storage.mark_removed, reminder)
            raise
        if sent is None:
            await self._db.maintain(storage.mark_removed, reminder)
            return
        await self._save_message(sent)
        if not _is_still_due(await self._service.table(reminder.table_id), sent):
            await self._remove(sent)

    async def _post(self, table: Table, reminder: Reminder, pings: PersonPings) -> Reminder | None:
        """Send a reminder as the player wants it, and return it with its message; None if there is no allowed way."""
        stage, mode = reminder.stage, pings.choice.mode
        if stage is ReminderStage.TIME_UP:
            called = await self._callable(table)
            return replace(reminder, message_id=await self._sender.call_others(table, called))
        if mode is PingMode.OFF:
            return None
        if mode is PingMode.DIRECT and not pings.refuses_direct:
            try:
                channel_id, message_id = await self._sender.send_direct(table, stage)
                return replace(reminder, channel_id=channel_id, message_id=message_id)
            except RefusesDirectMessages as fault:
                log.debug("the player to move at table %s accepts no direct messages: %s", table.id, fault)
                await self._db.maintain(ping_storage.note_refused_direct, _mover_id(table))
        return replace(reminder, message_id=await self._sender.send(table, stage)) if pings.may_mention else None

    async def _callable(self, table: Table) -> list[int]:
        """Return who may be mentioned now of those who decide about a player whose time is up."""
        now, guild_id = self._service.clock(), table.header.location.guild_id
        pings = {
            user_id: await self._db.read(ping_storage.find, user_id, table.id, guild_id) for user_id in deciders(table)
        }
        return [
            user_id
            for user_id, each in pings.items()
            if each.may_mention and each.choice.mode is not PingMode.OFF and each.quiet_until(now) is None
        ]

    async def _pings_of(self, table: Table) -> PersonPings:
        return await self._db.read(ping_storage.find, _mover_id(table), table.id, table.header.location.guild_id)

    async def _save_message(self, reminder: Reminder) -> None:
        self._sent[reminder.table_id] = reminder
        if not await self._db.maintain(storage.set_message, reminder):
            await self._remove(reminder)

    async def _remove(self, reminder: Reminder) -> None:
        self._sent.pop(reminder.table_id, None)
        if reminder.stands and reminder.send_at is None:
            if reminder.message_id is None:
                reminder = replace(reminder, message_id=await self._sender.find_reminder(reminder))
            if reminder.message_id is not None:
                await self._sender.remove(reminder)
        await self._db.maintain(storage.mark_removed, reminder)


def _mover_id(table: Table) -> int:
    """Return the user id of the player to move; 0, which is nobody's, without one."""
    return (table.mover.user_id if table.mover else None) or 0


def _is_still_due(table: Table, reminder: Reminder) -> bool:
    """Return whether a table still waits for a reminder's player, without activity since."""
    header = table.header
    return (
        header.status is Status.PLAYING
        and header.to_move == reminder.seat
        and not header.awaits_computer
        and header.awaited_since == reminder.since
        and (header.clock.is_up or reminder.stage is not ReminderStage.TIME_UP)
    )
