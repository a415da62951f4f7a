"""Reminds players of their turn after a long wait, once per turn."""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final, Protocol

from bot.rules.refusals import Refusal
from bot.tables.actions.seats import ABSENT_AFTER
from bot.tables.model import Status, TableId
from bot.tables.notifications import Reminder
from bot.tables.ports import ReminderStore
from bot.tables.refusals import Stale
from bot.tables.runtime.delivery import ChannelUnreachable, DeliveryFailed, MessageRemover
from bot.tables.runtime.service import TableService
from bot.tables.table import Table
from bot.tables.tasks import TaskSet

log = logging.getLogger(__name__)

TOO_LATE_AFTER = timedelta(days=1)
"""No reminder is sent after this long: the bot was offline, or the player has left."""

_BATCH_KEY: Final = "round"

_BATCH_SIZE: Final = 100
"""How many reminders are handled at a time; more than the requests that can be sent in a second."""

ReminderWork = Callable[[Reminder], Awaitable[None]]


class ReminderSender(MessageRemover, Protocol):
    """Posts, finds and deletes reminder messages."""

    async def send(self, table: Table) -> int:
        """Post a reminder for the player to move and return the message's id.

        Raises:
            ChannelUnreachable: The bot can't post there.
            DeliveryFailed: Sending failed for now.
        """

    async def find_reminder(self, reminder: Reminder) -> int | None:
        """Look for the message of a reminder whose id was lost.

        Raises:
            DeliveryFailed: The search failed for now.
        """


class Reminders:
    """Sends reminders, and deletes them when the player has acted.

    A reminder is stored before it is sent, so that no failure in between can lead to a second one. If the message's id
    was lost, the message is searched for when the turn goes on.
    """

    def __init__(
        self, service: TableService, store: ReminderStore, sender: ReminderSender, *, is_enabled: bool
    ) -> None:
        self._service = service
        self._store = store
        self._sender = sender
        self.is_enabled = is_enabled
        self._sent: dict[TableId, Reminder] = {}
        """This process's reminders, deleted at once; those of other processes wait for a check."""
        self._tasks = TaskSet("reminder")
        self._batches = TaskSet("reminders")

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
        limit, clock = len(started) + _BATCH_SIZE, self._service.clock
        found = [(reminder, self._remove) for reminder in await self._store.lapsed_reminders(limit)]
        if self.is_enabled:
            after, until = clock.ago(TOO_LATE_AFTER), clock.ago(ABSENT_AFTER)
            due = await self._store.due_reminders(self._service.games.keys(), after, until, limit)
            found += [(replace(reminder, noted_at=clock()), self._remind) for reminder in due]
        new = [(reminder, work) for reminder, work in found if reminder.table_id not in started][:_BATCH_SIZE]
        for reminder, work in new:
            started.add(reminder.table_id)
            self._start(reminder, work)
        return bool(new)

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
        is_active = table.header.awaited_since > self._service.clock.ago(ABSENT_AFTER)
        if is_active or not await self._store.claim_reminder(reminder):
            return
        # The reminder links to the table's message, which another process may have posted anew.
        table = await self._service.reload(reminder.table_id)
        if _is_still_due(table, reminder):
            reminder = replace(reminder, message_id=await self._sender.send(table))
            await self._save_message(reminder)
            table = await self._service.table(reminder.table_id)
        if not _is_still_due(table, reminder):
            await self._remove(reminder)

    async def _save_message(self, reminder: Reminder) -> None:
        self._sent[reminder.table_id] = reminder
        if not await self._store.set_reminder_message(reminder):
            await self._remove(reminder)

    async def _remove(self, reminder: Reminder) -> None:
        self._sent.pop(reminder.table_id, None)
        if reminder.stands:
            if reminder.message_id is None:
                reminder = replace(reminder, message_id=await self._sender.find_reminder(reminder))
            if reminder.message_id is not None:
                await self._sender.remove(reminder)
        await self._store.mark_reminder_removed(reminder)


def _is_still_due(table: Table, reminder: Reminder) -> bool:
    """Return whether a table still waits for a reminder's player, without activity since."""
    header = table.header
    return (
        header.status is Status.PLAYING
        and header.to_move == reminder.seat
        and not header.awaits_computer
        and header.awaited_since == reminder.since
    )
